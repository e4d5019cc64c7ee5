// What only a script can do: a button that copies a block. Everything else of these pages works without.
for (const block of document.querySelectorAll("main pre")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(copied(block));
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  const frame = document.createElement("div");
  frame.className = "frame";
  block.replaceWith(frame);
  frame.append(block, button);
}

// Of a session at a terminal the commands alone are what one would paste.
function copied(block) {
  const text = block.querySelector("code").textContent;
  if (block.dataset.language !== "console") return text;
  const commands = [];
  let goesOn = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("$ ")) commands.push(line.slice(2));
    else if (goesOn) commands.push(line);
    else continue;
    goesOn = line.endsWith("\\");
  }
  return commands.join("\n") + "\n";
}

// On a narrow screen the list of pages starts closed.
if (matchMedia("(max-width: 60rem)").matches) document.querySelector("nav details").open = false;

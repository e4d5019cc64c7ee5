// What pages do beyond links and forms. Without it they work, with times in UTC.
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

function tellTimes(within) {
  for (const one of within.querySelectorAll("time[datetime]:not([title])")) {
    const moment = new Date(one.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    one.textContent = day.format(moment);
    one.title = whole.format(moment);
  }
}

// A link that was made is whole: it begins with where this service is.
function wholeLinks(within) {
  for (const one of within.querySelectorAll("input[data-link]")) one.value = new URL(one.value, location.origin).href;
}

function typing(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  event.preventDefault();
  document.getElementById("find")?.select();
});

// A menu closes by Escape, and when something else is clicked.
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") document.querySelectorAll("details.who[open]").forEach((one) => one.removeAttribute("open"));
});
document.addEventListener("click", (event) => {
  document.querySelectorAll("details.who[open]").forEach((one) => one.contains(event.target) || one.removeAttribute("open"));
});

// What was unfolded stays so when a part of the page is replaced. Parts are replaced beside each other.
const unfolded = new Set();
document.body.addEventListener("htmx:beforeSwap", (event) => {
  for (const one of event.detail.target.querySelectorAll("details[id]")) {
    if (one.open) unfolded.add(one.id);
    else unfolded.delete(one.id);
  }
});
document.body.addEventListener("htmx:afterSettle", (event) => {
  for (const one of event.target.querySelectorAll("details[id]")) {
    if (unfolded.has(one.id)) one.open = true;
  }
  tellTimes(event.target.parentElement ?? document);
  wholeLinks(event.target.parentElement ?? document);
});

const zone = document.querySelector(".zone");
if (zone) zone.textContent = `Times in ${Intl.DateTimeFormat().resolvedOptions().timeZone}`;
tellTimes(document);
wholeLinks(document);

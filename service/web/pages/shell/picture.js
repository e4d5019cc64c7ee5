// Zooms a picture by its buttons, the wheel with Ctrl, and moves it by dragging and with the arrow keys.
const NEAREST = 8;
const STEP = 1.25;

function moveable(picture) {
  if (picture.dataset.moveable === "ready") return;
  picture.dataset.moveable = "ready";
  const home = picture.viewBox.baseVal;
  const whole = { x: home.x, y: home.y, width: home.width, height: home.height };
  let view = { ...whole };

  const show = () => picture.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  const shift = (x, y) => {
    view = { ...view, x: view.x + x, y: view.y + y };
    show();
  };
  const zoom = (factor, atX = 0.5, atY = 0.5) => {
    const width = Math.min(whole.width, Math.max(whole.width / NEAREST, view.width / factor));
    const height = (width / whole.width) * whole.height;
    view = { x: view.x + (view.width - width) * atX, y: view.y + (view.height - height) * atY, width, height };
    show();
  };
  const reset = () => {
    view = { ...whole };
    show();
  };

  const tools = document.createElement("div");
  tools.className = "zoom";
  for (const [label, sign, act] of [["Nearer", "+", () => zoom(STEP)], ["Farther", "−", () => zoom(1 / STEP)], ["All of it", "⤢", reset]]) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: sign, title: label });
    button.setAttribute("aria-label", label);
    button.addEventListener("click", act);
    tools.append(button);
  }
  picture.before(tools);

  picture.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = picture.getBoundingClientRect();
    zoom(event.deltaY < 0 ? STEP : 1 / STEP, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  }, { passive: false });

  let held = null;
  picture.addEventListener("pointerdown", (event) => {
    if (event.target.closest("a")) return;
    held = event;
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointermove", (event) => {
    if (!held) return;
    const scale = view.width / picture.getBoundingClientRect().width;
    shift((held.clientX - event.clientX) * scale, (held.clientY - event.clientY) * scale);
    held = event;
  });
  picture.addEventListener("pointerup", () => (held = null));

  // The box that it is about is in sight from the beginning.
  const here = picture.querySelector(".here");
  const frame = picture.parentElement;
  if (here && frame) {
    const box = here.getBoundingClientRect();
    const around = frame.getBoundingClientRect();
    frame.scrollLeft += box.left + box.width / 2 - around.left - around.width / 2;
    frame.scrollTop += box.top + box.height / 2 - around.top - around.height / 2;
  }

  const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  picture.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "=") zoom(STEP);
    else if (event.key === "-") zoom(1 / STEP);
    else if (event.key === "0") reset();
    else if (moves[event.key]) shift(moves[event.key][0] * view.width * 0.1, moves[event.key][1] * view.height * 0.1);
    else return;
    event.preventDefault();
  });
}

const prepare = () => document.querySelectorAll("svg[data-moveable]").forEach(moveable);
document.body.addEventListener("htmx:afterSettle", prepare);
prepare();

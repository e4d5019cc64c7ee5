// Follows a subscription of the API. What it brings is not shown: it only says that the parts of the page are to be asked again.
const PAUSE = 700;

function follow(place) {
  const source = new EventSource(place.dataset.live);
  let waiting = 0;
  const again = () => {
    if (!place.isConnected) source.close(); // the run has ended, and the page says so
    waiting ||= setTimeout(() => {
      waiting = 0;
      document.body.dispatchEvent(new Event("changed"));
    }, PAUSE);
  };
  const tell = (text) => {
    place.textContent = text;
  };
  source.addEventListener("open", () => tell("Live"));
  source.addEventListener("next", again);
  source.addEventListener("complete", () => {
    source.close();
    tell("Not followed any more: open the page again");
  });
  source.addEventListener("error", () => tell(source.readyState === EventSource.CLOSED ? "Not live" : "Connecting…"));
}

document.querySelectorAll("[data-live]").forEach(follow);

// The session cookie signs every request in; a page of another site cannot send it.
const url = "/graphql";
const socketUrl = location.origin.replace(/^http/, "ws") + url;
const fetcher = GraphiQL.createFetcher({ url, wsClient: graphqlWs.createClient({ url: socketUrl, lazy: true }) });
const root = ReactDOM.createRoot(document.getElementById("explorer"));

let shown = 0;

// A new key makes a new editor: the same example chosen again replaces what was typed meanwhile.
function show(query) {
  shown += 1;
  root.render(React.createElement(GraphiQL, { key: shown, fetcher, query, shouldPersistHeaders: false }));
}

async function start() {
  const examples = await (await fetch("/explorer/examples")).json();
  const select = document.getElementById("examples");
  examples.forEach(({ title }, number) => select.add(new Option(title, String(number))));
  select.addEventListener("change", () => select.value && show(examples[Number(select.value)].query));
  show(examples[0].query);
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "{ viewer { name clearance } }" }),
  });
  const viewer = (await answer.json()).data?.viewer;
  document.getElementById("viewer").textContent = viewer ? `${viewer.name}, sees up to ${viewer.clearance}` : "not signed in";
}

start();

// The session cookie signs every request in; a page of another site cannot send it.
const url = "/graphql";
const socketUrl = location.origin.replace(/^http/, "ws") + url;
const root = ReactDOM.createRoot(document.getElementById("explorer"));
const signedIn = document.getElementById("viewer");
const signOut = document.getElementById("signout");

// Every answer tells whether the session still holds.
async function fetchSignedIn(...request) {
  const answer = await fetch(...request);
  if (answer.status === 401) tellViewer(null);
  return answer;
}

const send = GraphiQL.createFetcher({
  url,
  fetch: fetchSignedIn,
  wsClient: graphqlWs.createClient({ url: socketUrl, lazy: true }),
});

// The editor learns an operation's name a moment after it was typed: one that is no longer in the text is not sent.
function fetcher(request, options) {
  const named = request.operationName && new RegExp(`\\b${request.operationName}\\b`).test(request.query);
  return send(named ? request : { ...request, operationName: undefined }, options);
}

function tellViewer(viewer) {
  signedIn.textContent = viewer
    ? `Signed in as ${viewer.name}, sees up to ${viewer.clearance}, may ${viewer.scopes.join(", ")}`
    : "Not signed in: run “tasklore signin” and open the address that it prints";
  signedIn.className = viewer ? "" : "out";
  signOut.hidden = !viewer;
}

let shown = "";

// The same editor, and so the schema that it has loaded, stays: only its text changes. It takes over a text that differs
// from the last one given, so an example that is chosen again has one more line end.
function show(query, variables) {
  shown = query === shown ? `${query}\n` : query;
  root.render(React.createElement(GraphiQL, { fetcher, query: shown, variables, shouldPersistHeaders: false }));
}

// A page hands over the query behind it, with its variables.
function handedOver() {
  try {
    const { query, variables } = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    return typeof query === "string" && [query, JSON.stringify(variables, null, 2)];
  } catch {
    return null;
  }
}

function offer(examples) {
  const select = document.getElementById("examples");
  const groups = new Map();
  examples.forEach(({ group, title }, number) => {
    if (!groups.has(group)) groups.set(group, select.appendChild(Object.assign(document.createElement("optgroup"), { label: group })));
    groups.get(group).append(new Option(title, String(number)));
  });
  select.addEventListener("change", () => {
    if (select.value) show(examples[Number(select.value)].query);
    select.value = "";
  });
}

async function start() {
  const examples = await (await fetch("/explorer/examples")).json();
  offer(examples);
  show(...(handedOver() || [examples[0].query]));
  const answer = await fetchSignedIn(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "query Viewer { viewer { name clearance scopes } }" }),
  });
  tellViewer((await answer.json()).data?.viewer ?? null);
}

start();

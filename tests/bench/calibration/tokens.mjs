// Where each family's tokenizer cuts texts: `node tokens.mjs FOLDER`, for FOLDER/packets.jsonl into FOLDER/cuts.jsonl.
// In FOLDER: npm install gpt-tokenizer@3 llama3-tokenizer-js@1 @anthropic-ai/tokenizer@0.0.4
// A line is, for each family, the lengths in bytes of the tokens of the text on the same line, as base64.
import { readFileSync, createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = resolve(process.argv[2])
const load = (path) => import(pathToFileURL(`${folder}/node_modules/${path}`).href)

const plain = { allowedSpecial: new Set(), disallowedSpecial: new Set() }
async function openai(name) {
  const { encode } = await load(`gpt-tokenizer/esm/encoding/${name}.js`)
  const ranks = (await load(`gpt-tokenizer/esm/bpeRanks/${name}.js`)).default
  const sizes = Array.from(ranks, (one) => (typeof one === 'string' ? Buffer.byteLength(one) : one?.length ?? 0))
  return (text) => encode(text, plain).map((id) => sizes[id])
}
async function llama() {
  const { default: tokenizer } = await load('llama3-tokenizer-js/bundle/llama3-tokenizer-with-baked-data.js')
  return (text) => tokenizer.encode(text, { bos: false, eos: false }).map((id) => tokenizer.vocabById[id].length)
}
async function anthropic() {
  const tokenizer = (await load('@anthropic-ai/tokenizer/dist/cjs/index.js')).default.getTokenizer()
  const sizes = new Map()
  const size = (id) => sizes.get(id) ?? sizes.set(id, tokenizer.decode_single_token_bytes(id).length).get(id)
  return (text) => Array.from(tokenizer.encode(text, [], []), size)
}

const families = {
  o200k: await openai('o200k_base'),
  cl100k: await openai('cl100k_base'),
  llama3: await llama(),
  claude: await anthropic(),
}
const out = createWriteStream(`${folder}/cuts.jsonl`)
for (const line of readFileSync(`${folder}/packets.jsonl`, 'utf8').trimEnd().split('\n')) {
  const { text } = JSON.parse(line)
  const cuts = Object.entries(families).map(([name, cut]) => [name, Buffer.from(cut(text)).toString('base64')])
  if (!out.write(JSON.stringify(Object.fromEntries(cuts)) + '\n')) await new Promise((done) => out.once('drain', done))
}
out.end()

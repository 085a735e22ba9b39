// The lists of the docs that come from records: `npm run lists` writes them, after `npm run build`.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { engineKinds } from '../../packages/ask/dist/retrieval/engines/index.js'
import { engineCodes } from '../../packages/core/dist/internal.js'
import { dialects } from '../../packages/core/dist/validators/tool-calls/dialects/table.js'
import { configJsonSchema } from '../../packages/gateway/dist/config.js'
import { languages } from '../../packages/parser/dist/languages/index.js'
import { catalogue } from '../../packages/presets/dist/index.js'
import { adapters } from '../build/adapters.mjs'
import { publicNames } from '../types/doors.mjs'
import { root } from '../types/typescript.mjs'
import { designsPage } from './designs.mjs'
import { pageOf } from './page-check.mjs'

const definitions = catalogue.validators.map(({ definition }) => definition)
const cell = (text) => text.replaceAll('|', '\\|')
const rows = (cells) => cells.map((row) => `| ${row.join(' | ')} |\n`).join('')
const read = (page) => readFileSync(`${root}docs/${page}`, 'utf8')

/** Every page with lists, by its path below `docs`, as its text should be. */
export function pages() {
  return {
    ...validatorPages(),
    ...packagePage(),
    ...dialectPage(),
    ...languagePage(),
    ...enginePage(),
    ...commandPage(),
    ...configurationPage(),
    ...apiPage(),
    'reference/designs.md': designsPage(),
  }
}

function validatorPages() {
  const codes = [...definitions, { name: 'engine', codes: engineCodes }]
    .flatMap(({ name, codes }) => Object.entries(codes).map(([code, entry]) => ({ code, name, ...entry })))
    // As the cells of the table, so that INVALID_ARGUMENTS_JSON comes before INVALID_ARGUMENT.
    .sort((a, b) => Number(`${a.code}\`` > `${b.code}\``) - Number(`${a.code}\`` < `${b.code}\``))
  const from = (name) => (name === 'engine' ? name : `[${name}](${pageOf(name).replace('reference/', '')})`)
  const list = definitions.map(({ name }) => `[\`${name}\`](${pageOf(name)})`).join(', ')
  return {
    'reference/codes.md': replaced(
      'reference/codes.md',
      /(?<=\| code \| from .*\n.*\n)(?:\|.*\n)+/,
      rows(codes.map(({ code, name, severity, when, fix }) => [`\`${code}\``, from(name), severity, cell(when), cell(fix)])),
    ),
    'README.md': withAdapters(
      replaced('README.md', /\| Validators \|.*\n/, `| Validators | ${list} |\n`),
      (name) => `guide/${name}.md`,
      (name) => /^# (.+)/.exec(read(`guide/${name}.md`))?.[1] ?? name,
    ),
  }
}

function packagePage() {
  const page = '../README.md'
  const text = withAdapters(
    read(page),
    (name) => `packages/${name}/README.md`,
    (name) => `\`@stickler/${name}\``,
  )
  return { [page]: text }
}

/** An adapter that a table does not link yet gets a row below the others, with what its manifest says. */
function withAdapters(text, link, title) {
  const placeOf = (name) => text.indexOf(`](${link(name)})`)
  const at = text.indexOf('\n', Math.max(...adapters.map(placeOf))) + 1
  const missing = adapters.filter((name) => placeOf(name) < 0)
  const says = (name) => cell(JSON.parse(read(`../packages/${name}/package.json`)).description.replace(/\.$/, ''))
  return text.slice(0, at) + rows(missing.map((name) => [`[${title(name)}](${link(name)})`, says(name)])) + text.slice(at)
}

/** Line breaks are shown as a space: a cell has one line. */
function dialectPage() {
  const page = 'reference/validators/tool-calls.md'
  const code = (text) => `\`\` ${cell(text.replaceAll('\n', ' '))} \`\``
  const cells = dialects.map(({ name, models, own, example }) => [`\`${name}\``, cell(models), own ? 'yes' : '', code(example)])
  return { [page]: replaced(page, /(?<=\| dialect \| written by .*\n.*\n)(?:\|.*\n)+/, rows(cells)) }
}

/** The tags of a language are as the page has them; a new one has its name. */
function languagePage() {
  const page = 'guide/code.md'
  const tags = new Map([...read(page).matchAll(/^\| `([a-z]+)` \| (`.*?`) \| /gm)].map(([, name, written]) => [name, written]))
  const sorted = languages.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const cells = sorted.map(({ name, parsedBy = '' }) => [`\`${name}\``, tags.get(name) ?? `\`${name}\``, cell(parsedBy)])
  return { [page]: replaced(page, /(?<=\| language \| tags .*\n.*\n)(?:\|.*\n)+/, rows(cells)) }
}

function enginePage() {
  const page = 'guide/retrieval.md'
  const cells = engineKinds.map(({ guide: { address, needs, text, vectors } }) => [address, needs, text, vectors])
  return { [page]: replaced(page, /(?<=\| address \| needs .*\n.*\n)(?:\|.*\n)+/, rows(cells)) }
}

/** The help is printed as it is; a command without a section gets one with its own help. */
function commandPage() {
  const page = 'reference/cli.md'
  const help = stickler('--help')
  const text = replaced(page, /(?<=^\$ stickler --help\n)[\s\S]*?(?=^```)/m, help)
  const names = [...help.matchAll(/^ {2}([a-z]+) \[options\]/gm)].map(([, name]) => name)
  const missing = names.filter((name) => !text.includes(`\n## \`stickler ${name}\`\n`))
  const section = (name) => `\n## \`stickler ${name}\`\n\n\`\`\`console\n$ stickler ${name} --help\n${stickler(name, '--help')}\`\`\`\n`
  return { [page]: text + missing.map(section).join('') }
}

function stickler(...args) {
  return execFileSync(process.execPath, [`${root}packages/cli/bin/stickler.js`, ...args], { encoding: 'utf8' })
}

/** A key that its section of the reference does not name yet gets a row with what the schema says of it. */
function configurationPage() {
  const page = 'reference/configuration.md'
  let text = read(page)
  for (const [part, schema] of Object.entries(configJsonSchema().properties)) {
    const start = text.indexOf(`\n## \`${part}\``)
    const end = text.indexOf('\n## ', start + 1)
    const section = start < 0 ? '' : text.slice(start, end)
    const table = /\| (?:kind \| )?field \| meaning \|\n.*\n(?:\|.*\n)+/.exec(section)
    if (table === null) continue
    const missing = keysOf(schema).filter(({ key }) => !new RegExp(`\`(?:${part}\\.)?${key}\``).test(section))
    const added = missing.map(({ kind, key, description, default: usual }) => {
      const meaning = `${description.replace(/\.$/, '')}${usual === undefined ? '' : `; ${JSON.stringify(usual)}`}`
      return [...(table[0].startsWith('| kind') ? [`\`${kind}\``] : []), `\`${key}\``, cell(meaning[0].toLowerCase() + meaning.slice(1))]
    })
    const at = start + table.index + table[0].length
    text = text.slice(0, at) + rows(added) + text.slice(at)
  }
  return { [page]: text }
}

/** The keys at the top of a part of the configuration, whatever its kinds. */
function keysOf({ properties = {}, items, anyOf = [], oneOf = [] }) {
  const kind = properties.kind?.const ?? ''
  const own = Object.entries(properties).map(([key, { description = '', default: usual }]) => ({ kind, key, description, default: usual }))
  return [...own, ...[...anyOf, ...oneOf, ...(items === undefined ? [] : [items])].flatMap(keysOf)]
}

/** Everything that programs can import, from the comments in the sources. */
function apiPage() {
  const page = 'reference/api.md'
  const names = publicNames()
  const doors = [...new Set(names.flatMap(({ doors }) => doors))]
  const tables = doors.map((door) => {
    const here = names.filter((one) => one.doors.includes(door)).sort((a, b) => Number(b.isValue) - Number(a.isValue))
    const cells = here.map(({ name, isValue, sentence }) => [`\`${name}\``, isValue ? 'value' : 'type', cell(sentence)])
    return `## \`${door}\`\n\n| name | kind | what it is |\n| --- | --- | --- |\n${rows(cells)}`
  })
  return { [page]: replaced(page, /(?<=\n)## [\s\S]*$|$/, tables.join('\n')) }
}

function replaced(page, part, text) {
  const before = read(page)
  if (!part.test(before)) throw new Error(`${page} has no list`)
  return before.replace(part, () => text)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [page, text] of Object.entries(pages())) writeFileSync(`${root}docs/${page}`, text)
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const passageWords = 200

/** By language, kinds of text that count alike however much there is of each; a source is a folder, and which of its files are read. */
const sources = {
  en: [
    [['anarchism', /\.html(\.gz)?$/]],
    [['dict-gcide', /\.dict\.dz$/]],
    [['dict-wn', /\.dict\.dz$/]],
    [['fortunes', /games\/fortunes\/[\w-]+$/]],
    [
      ['Translation-en'],
      ['dict-foldoc', /\.dict\.dz$/],
      ['dict-jargon', /\.dict\.dz$/],
      ['libreoffice-help-en-us', /\.html$/],
      ['gimp-help-en', /\.html$/],
      ['manpages', /man\/man\d\/.*\.gz$/],
    ],
  ],
  de: [
    [['Translation-de'], ['manpages-de', /\.gz$/]],
    [
      ['libreoffice-help-de', /\.html$/],
      ['gimp-help-de', /\.html$/],
      ['debian-reference-de', /\.html$/],
      ['debian-handbook', /\/de-DE\/.*\.html$/],
    ],
    [['fortunes-de', /games\/fortunes\/de\/[\w-]+$/]],
  ],
}

/** The passages below a folder: by language, by kind of text. */
export function passagesBelow(folder) {
  return Object.entries(sources).map(([language, kinds]) => ({
    language,
    kinds: kinds.map((kind) => () => kind.flatMap(([name, files]) => textsOf(join(folder, name), files).flatMap(passages))),
  }))
}

function textsOf(path, files) {
  if (!files) return [descriptions(readFileSync(path, 'utf8'))]
  const all = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const chosen = all.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).filter((one) => files.test(one))
  return chosen.sort().map((one) => plain(/\.[gd]z$/.test(one) ? gunzipSync(readFileSync(one)).toString() : readFileSync(one, 'utf8'), one))
}

function plain(text, path) {
  if (path.includes('.html')) {
    const visible = text.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]+>/g, ' ')
    return visible.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))).replace(/&\w+;/g, ' ')
  }
  if (path.includes('/man')) return text.replace(/\\f.|\\[-&(]|^\.[A-Za-z]+/gm, '')
  // The marks of dictionaries: where an entry is from, and what it is.
  return text.replace(/\[(?:1913 Webster|PJC|WordNet 1\.5|Webster 1913 Suppl\.|(?:syn|ant):[^\]]*)\]|[{}]|Syn:|\b[nvt]\./g, '')
}

function descriptions(index) {
  const entries = index.split('\n\n').map((entry) => /^Description-\w+: ([\s\S]*)/m.exec(entry)?.[1] ?? '')
  return entries.join(' ').replaceAll('\n .\n', '\n')
}

function passages(text) {
  const words = text.split(/\s+/)
  const found = []
  for (let at = 0; words.length - at >= 30; at += passageWords) found.push(words.slice(at, at + passageWords).join(' '))
  return found
}

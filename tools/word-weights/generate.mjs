#!/usr/bin/env node
// Writes how common words are, from the texts that README.md names. usage: generate.mjs FOLDER
import { writeFileSync } from 'node:fs'
import { terms, termsVersion } from '../../packages/core/dist/relevance.js'
import { passagesBelow } from './texts.mjs'

/** Words in fewer passages than this share have no entry: rarer ones all weigh the same. */
const rarest = 0.0022
const lineLength = 160
const target = new URL('../../packages/core/src/relevance/lexical/word-counts.ts', import.meta.url)

/** The share of passages that hold a term, as the mean of the kinds of text. */
function shares(kinds) {
  const mean = new Map()
  for (const passages of kinds) {
    const counts = new Map()
    const all = passages()
    for (const passage of all) for (const term of new Set(terms(passage))) counts.set(term, (counts.get(term) ?? 0) + 1)
    for (const [term, count] of counts) mean.set(term, (mean.get(term) ?? 0) + count / all.length / kinds.length)
  }
  return mean
}

const common = new Map()
for (const { kinds } of passagesBelow(process.argv[2] ?? '.')) {
  // A word that is common in either language says little.
  for (const [term, share] of shares(kinds))
    if (share >= rarest && /^[a-z\d]+$/.test(term)) common.set(term, Math.max(common.get(term) ?? 0, share))
}

let before = ''
const entries = [...common.keys()].sort().map((term) => {
  let shared = 0
  while (shared < 25 && shared < term.length && term[shared] === before[shared]) shared++
  before = term
  const halvings = Math.round(-2 * Math.log2(common.get(term)))
  return `${String.fromCharCode(65 + shared)}${term.slice(shared)}${String.fromCharCode(65 + halvings)}`
})
const lines = ['']
for (const entry of entries) {
  if (lines[lines.length - 1].length + entry.length > lineLength) lines.push('')
  lines[lines.length - 1] += entry
}

writeFileSync(
  target,
  `// Written by tools/word-weights/generate.mjs from ${entries.length} terms of version ${termsVersion}.

/**
 * Terms in their order: a capital letter for how many letters are those of the term before (A for none), the other letters, and a capital
 * letter for how rare the term is: A when it is in every passage of English or German text, C in every second one, E in every fourth.
 */
export const wordCounts =
  '${lines.join("' +\n  '")}'
`,
)
console.log(`${entries.length} terms`)

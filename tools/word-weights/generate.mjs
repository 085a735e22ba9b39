#!/usr/bin/env node
// Writes how common words are, from the texts that README.md names. usage: generate.mjs FOLDER
import { writeFileSync } from 'node:fs'
import { terms, termsVersion } from '../../packages/core/dist/internal/relevance.js'
import { questionWords } from './question-words.mjs'
import { writeTable } from './table.mjs'
import { passagesBelow } from './texts.mjs'

/** Words in fewer passages than this share have no entry: rarer ones all weigh the same. */
const rarest = 0.0022
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

for (const term of terms(questionWords)) common.set(term, Math.max(common.get(term) ?? 0, 0.5))

writeFileSync(target, writeTable(common, termsVersion))
console.log(`${common.size} terms`)

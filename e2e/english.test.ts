import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeOptions, engineCodes } from '@stickler/core/internal'
import { catalogue } from '@stickler/presets'
import { describe, expect, test } from 'vitest'
import { commentPhrases, type FoundPhrase, findInComments, findPhrases, phrases, prose } from '../tools/english/phrases.mjs'
import { configurationKeys } from './support/configuration-keys.ts'
import { root } from './support/places.ts'
import { walk } from './support/walk.ts'

const pages = (await walk()).filter((path) => /^(?:[A-Z]+|packages\/[^/]+\/README|(?:docs|examples)\/.+)\.md$/.test(path))

/** A page as it is read; the page on reliability without the titles of tests that it quotes. */
async function readPage(path: string): Promise<string> {
  const text = await readFile(join(root, path), 'utf8')
  return prose(path === 'docs/reliability.md' ? text.replaceAll(/“[^”]*”/g, '') : text)
}

const reported = (name: string, found: readonly FoundPhrase[]) =>
  found.map(({ line, found: words, instead }) => `${name}:${line}: “${words}”, write: ${instead}`)
const told = (name: string, text: string) => reported(name, findPhrases(text))

describe('the words that users read are idiomatic', () => {
  test('on every page', async () => {
    expect(pages.length).toBeGreaterThan(100)
    const found = await Promise.all(pages.map(async (path) => told(path, await readPage(path))))
    expect(found.flat()).toEqual([])
  })

  test('in the descriptions of validators, options, codes, presets and keys of the configuration', () => {
    const codesIn = (codes: Readonly<Record<string, { when: string; fix: string }>>) =>
      Object.entries(codes).flatMap(([code, { when, fix }]) => [told(code, when), told(code, fix)])
    const validators = catalogue.validators.flatMap(({ definition }) => [
      told(definition.name, definition.summary),
      ...codesIn(definition.codes),
      ...(describeOptions(definition) ?? []).map(({ name, description }) => told(`${definition.name}.${name}`, description)),
    ])
    const presets = Object.entries(catalogue.presets).map(([name, { summary }]) => told(name, summary))
    const keys = configurationKeys().map(({ name, description }) => told(name, description))
    expect([...validators, ...codesIn(engineCodes), ...presets, ...keys].flat()).toEqual([])
  })

  test.each([
    ['for those who keep it running', 1],
    ['changes nothing and is told of in one line', 1],
    ['the response is no JSON object', 1],
    ['There is no JSON in it.', 0],
    ['mending MAX_WORDS', 1],
    ['In earnest', 1],
    ['Keys may stand once', 2],
    ['a standard answer that withstands it', 0],
    ['Croatian and Serbian are told apart.', 0],
    ['| `queue` | most calls that wait |', 1],
    ['what most calls need', 0],
    ['or you are told exactly why not', 0],
    ['```ts\n// doomed\n```\n`afresh` <!-- in earnest -->', 0],
  ])('%j has %i', (text, count) => {
    expect(findPhrases(prose(text))).toHaveLength(count)
    expect(phrases.every(({ pattern }) => !pattern.global)).toBe(true)
  })
})

describe('the comments that contributors read are idiomatic', () => {
  test('in every source file', async () => {
    const sources = (await walk()).filter((path) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path) && !/\.test(?:-d)?\.tsx?$/.test(path))
    expect(sources.length).toBeGreaterThan(1000)
    const found = await Promise.all(
      sources.map(async (path) => reported(path, findInComments(await readFile(join(root, path), 'utf8'), path))),
    )
    expect(found.flat()).toEqual([])
  })

  const long = 'a word and another '.repeat(9)
  test.each([
    ['/** Keys may stand once. */', 3],
    ['const a = 1 // what stands before it', 2],
    ['/**\n * Waits.\n * Whoever waits does so here.\n */', 1],
    ['/** Reads it; tells whether there was one. */', 1],
    ['/** Tells how many there were. */', 1],
    ['/** A number; 0 for what is none. */', 1],
    ['// Another lane of the queue.', 1],
    [`// ${long}`, 1],
    [`// ${long.slice(0, 90)}; ${long.slice(0, 90)}`, 0],
    ['/** A stand-in for a model: its text stands for the answer, and the clock stands still. */', 0],
    ['/** Nobody can tell where it leads; models are told the rules. */', 0],
    ["const text = 'whoever // stands there' // `whoever` is a word", 0],
  ])('%j has %i', (source, count) => {
    expect(findInComments(source, 'a.ts')).toHaveLength(count)
    expect(commentPhrases.every(({ pattern }) => !pattern.global)).toBe(true)
  })
})

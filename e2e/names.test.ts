import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { catalogue as library } from '@stickler/core'
import { catalogue } from '@stickler/presets'
import { describe, expect, test } from 'vitest'
import { adapters } from '../tools/build/adapters.mjs'
import { root } from './support/places.ts'
import { walk } from './support/walk.ts'

/** Where presets and validators are named. */
const exceptions = [
  // Contracts that we write for people to start from.
  'packages/gateway/src/demo/demo-config.ts',
  'packages/gateway/src/demo/demo-models.ts',
]

/** The folder of the library's validators, which name one another, and what exports them. */
const homes = /^packages\/core\/src\/(?:validators\/|(?:validators|internal|internal\/validators)\.ts$)/

const presets = Object.keys(catalogue.presets)
const namesOf = ({ validators }: typeof catalogue) => validators.map(({ definition }) => definition.name)
const generic = namesOf(library)
const designs = [...presets, 'brunix', 'ptvl', ...namesOf(catalogue).filter((name) => !generic.includes(name))]

/** Validators whose names are words of the wire too, or one common word such as `length`: they are found where they are used as names. */
const wireWords = generic.filter((name) => ['one_of', 'tool_calls'].includes(name) || !name.includes('_'))
const own = generic.filter((name) => !wireWords.includes(name))
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const oneOf = (names: readonly string[]) => new RegExp(`(?<![A-Za-z])(?:is)?(?:${[...names, ...names.map(camel)].join('|')})(?![a-z])`, 'i')
const [ofDesigns, ofLibrary] = [oneOf(designs), oneOf(own)]
const asNames = new RegExp(`(?:facts\\??\\.|(?:name|validator) [!=]==? ['"\`])(?:${wireWords.join('|')})\\b`)

/** Codes, and the node of the pipeline that has a validator's name in its own. */
const others = /[A-Z]+_[A-Z_]+|'?\bcheck_context_relevance\b/g

function found(text: string, isHome = false): readonly string[] {
  const isNamed = (line: string) => ofDesigns.test(line) || (!isHome && (ofLibrary.test(line) || asNames.test(line)))
  return text.split('\n').filter((line) => isNamed(line.replace(others, '')))
}

describe('no room knows the name of a preset, and only their own those of validators', async () => {
  const sources = (await walk()).filter((path) => /^packages\/[\w-]+\/src\/(?!(?:.*\/)?testing\/|.*\.test(?:-d)?\.ts$).*\.ts$/.test(path))
  const read = (path: string) => readFile(join(root, path), 'utf8')

  test.each(['core', 'node', 'parser', 'ask', 'gateway', 'cli', ...adapters])('in %s', async (name) => {
    const inside = sources.filter((path) => path.startsWith(`packages/${name}/`))
    expect(inside).not.toEqual([])
    const known = await Promise.all(
      inside.map(async (path) => found(await read(path), homes.test(path)).map((line) => `${path}: ${line.trim()}`)),
    )
    expect(known.flat().filter((line) => !exceptions.some((path) => line.startsWith(`${path}:`)))).toEqual([])
  })

  test('no exception is needless', async () => {
    for (const path of exceptions) expect(found(await read(path)), path).not.toEqual([])
  })

  test.each([
    ['const step = outcome.facts.step_marker?.step', true],
    ["preset === 'helix'", true],
    ['function isHelix(name: string) {', true],
    ['100 under the preset helix', true],
    ["import { stepMarker } from 'x'", true],
    ['facts.citations?.citations', true],
    ["name === 'tool_calls'", true],
    ['in the words of RedDB', true],
    ['message.tool_calls', false],
    ['exchange.json()', false],
    ["'the code, such as MISSING_STEP_MARKER'", false],
    ["node === 'check_context_relevance'", false],
    ["'context_relevance'", true],
  ])('%j is found: %s', (line, expected) => {
    expect(found(line).length > 0).toBe(expected)
  })
})

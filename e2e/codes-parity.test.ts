import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildContract, type CodeEntry, type ContractInput, catalogue as generic } from '@stickler/core'
import { describeOptions, engineCodes, type OptionEntry } from '@stickler/core/internal'
import { catalogue } from '@stickler/presets'
import { describe, expect, test } from 'vitest'
import { runCli } from '../packages/cli/src/testing/run-cli.ts'
import { pageCheck } from '../tools/docs/page-check.mjs'
import { root } from './support/places.ts'

const text = (path: string) => readFile(join(root, path), 'utf8')
const fileOf = (name: string) => name.replaceAll('_', '-')
const pageOf = (name: string) => `docs/reference/validators/${fileOf(name)}.md`

interface Code extends Pick<CodeEntry, 'severity' | 'when' | 'fix'> {
  readonly code: string
  /** The validator that yields it, or `engine`. */
  readonly from: string
}

const definitions = catalogue.validators.map(({ definition }) => definition)
const codesIn = (from: string, codes: Readonly<Record<string, CodeEntry>>): Code[] =>
  Object.entries(codes).map(([code, { severity, when, fix }]) => ({ code, from, severity, when, fix }))
const codes = [...definitions.flatMap(({ name, codes }) => codesIn(name, codes)), ...codesIn('engine', engineCodes)]
const byCode = ([a = '']: readonly (string | undefined)[], [b = '']: readonly (string | undefined)[]) => (a === b ? 0 : a < b ? -1 : 1)

/** Whether the library has the validator, also where a preset replaces it. */
const isGeneric = (name: string) => generic.validators.some(({ definition }) => definition.name === name)

/** The rows of the first table behind a heading, cell by cell, without links and the line under the head. */
function tableBehind(markdown: string, heading: string): string[][] {
  const lines = markdown.slice(markdown.indexOf(`\n${heading}\n`) + 1).split('\n')
  const start = lines.findIndex((line) => line.startsWith('|'))
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'))
  return lines.slice(start + 2, start + length).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) =>
        cell
          .trim()
          .replaceAll('\\|', '|')
          .replace(/^\[(.*)\]\(.*\)$/, '$1'),
      ),
  )
}

function optionRow({ name, type, required, description, ...rest }: OptionEntry): string[] {
  const value = 'default' in rest ? `\`${JSON.stringify(rest.default)}\`` : ''
  return [`\`${name}\``, type, required ? 'required' : value, description]
}

/** Codes with several sources: the engine knows that the answer was cut off, the others that a value lacks its end; and both read JSON. */
const sharedCodes = { DUPLICATE_KEY: ['json', 'tool_calls'], TRUNCATED: ['json', 'tool_calls', 'engine'] }

test('every code stands once, but for those that several sources yield', () => {
  const names = codes.map(({ code }) => code)
  const repeated = names.filter((name, index) => names.indexOf(name) !== index)
  expect([...new Set(repeated)].sort()).toEqual(Object.keys(sharedCodes))
  for (const [shared, sources] of Object.entries(sharedCodes))
    expect(codes.filter(({ code }) => code === shared).map(({ from }) => from)).toEqual(sources)
  expect(names.filter((name) => !/^[A-Z]+(?:_[A-Z]+)*$/.test(name))).toEqual([])
})

test('docs/reference/codes.md lists every code and no other, in the order of the alphabet: npm run lists', async () => {
  const rows = codes.map(({ code, from, severity, when, fix }) => [`\`${code}\``, from, severity, when, fix])
  expect(tableBehind(await text('docs/reference/codes.md'), '# Codes')).toEqual(rows.sort(byCode))
})

describe.each(definitions)('$name', (definition) => {
  const { name } = definition

  test('has its page with all its options and codes', async () => {
    const page = await text(pageOf(name))
    expect(page.startsWith(`# \`${name}\`\n`), 'the title is the name').toBe(true)
    expect(tableBehind(page, '## Options')).toEqual(describeOptions(definition)?.map(optionRow))
    const rows = codesIn(name, definition.codes).map(({ code, severity, when, fix }) => [`\`${code}\``, severity, when, fix])
    expect(tableBehind(page, '## Codes')).toEqual(rows)
    for (const heading of ['## Examples', '## Streams', '## Repair']) expect(page).toContain(`\n${heading}\n`)
  })

  test('has its source, its test and its line', async () => {
    const preset = isGeneric(name)
      ? undefined
      : Object.entries(catalogue.presets).find(([, given]) => given.validators?.some((one) => one.definition.name === name))
    const folder = preset === undefined ? 'packages/core/src/validators' : `packages/presets/src/${preset[0]}`
    const own = existsSync(join(root, folder, fileOf(name))) ? `${fileOf(name)}/index` : fileOf(name)
    expect(existsSync(join(root, folder, `${own}.ts`))).toBe(true)
    expect(await text(`${folder}/${own}.test.ts`)).toMatch(new RegExp(`await localeFaults\\(\\s*'${name}',\\s*\\[`))
    expect(await text(`${folder}/${preset === undefined ? 'index' : 'preset'}.ts`)).toContain(`from './${own}.ts'`)
  })

  test('stands in the index of the docs: npm run lists', async () => {
    expect(await text('docs/README.md')).toContain(`(reference/validators/${fileOf(name)}.md)`)
  })

  test('has the check that it shows first on its page, with options that it accepts', () => {
    expect(() => buildContract({ checks: [pageCheck(name)] } as ContractInput, catalogue)).not.toThrow()
  })
})

test('there is no page of a validator that does not exist', async () => {
  const pages = await readdir(join(root, 'docs/reference/validators'))
  expect(pages.sort()).toEqual(definitions.map(({ name }) => `${fileOf(name)}.md`).sort())
})

describe('stickler explain', () => {
  test.each(codes)('$code of $from', async ({ code, from, severity, when, fix }) => {
    const { stdout } = await runCli(['explain', code, '--json'])
    // A code with two sources is explained by a list.
    const explained = [JSON.parse(stdout)].flat() as Record<string, string>[]
    const { validator = 'engine', docs, ...said } = explained.find(({ validator = 'engine' }) => validator === from) ?? {}
    expect({ ...said, validator }).toMatchObject({ code, severity, when, fix, validator: from })
    expect(await readFile(docs ?? 'docs', 'utf8').catch(() => `there is no ${docs}`)).toMatch(new RegExp(`^\\| \`${code}\` +\\| `, 'm'))
  })

  test('knows no other but the errors of the gateway, and names each once', async () => {
    const { code, stderr } = await runCli(['explain', 'NO_SUCH_CODE_AT_ALL'])
    expect(code).toBe(2)
    const known = stderr.slice(stderr.indexOf('known: ') + 'known: '.length).trim()
    const errors = [...(await text('docs/reference/errors.md')).matchAll(/^\| (?:\d+|its own) \| `([a-z0-9_]+)`/gm)].map(
      ([, one = '']) => one,
    )
    expect(known.split(', ').sort()).toEqual([...new Set([...codes.map((one) => one.code), ...errors])].sort())
  })
})

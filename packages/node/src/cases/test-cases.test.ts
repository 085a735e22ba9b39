import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { contract, defineValidator } from '@stickler/core'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { testCases } from './test-cases.ts'

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'stickler-cases-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

const cases =
  'cases:\n  - { name: short, answer: a b, expect: { status: valid } }\n  - { name: long, answer: a b c, expect: { status: valid, codes: [] } }\n'
const config = 'upstreams: nonsense\ncontracts: { brief: { checks: [{ max_words: { limit: 2 } }], repair: never } }\n'

test('gives cases to loop over, which reject with what differs', async () => {
  const folder = await folderWith({ 'a.test.yaml': cases, 'stickler.yaml': config })
  for (const file of [join(folder, 'a.test.yaml'), pathToFileURL(join(folder, 'a.test.yaml'))]) {
    const [short, long] = await testCases(file)
    expect([short?.name, short?.line, long?.name]).toEqual(['short', 2, 'long'])
    await expect(short?.run()).resolves.toBeUndefined()
    await expect(long?.run()).rejects.toMatchObject({
      name: 'AssertionError',
      message: expect.stringContaining('status: expected "valid", got "unresolved"\ncodes: expected [], got ["MAX_WORDS"]') as string,
      actual: { status: 'unresolved', codes: ['MAX_WORDS'] },
      expected: { status: 'valid', codes: [] },
    })
  }
})

test('takes a contract of the program in place of those of a file', async () => {
  const folder = await folderWith({ 'a.test.yaml': cases })
  for (const { run } of await testCases(join(folder, 'a.test.yaml'), { contract: contract({ checks: [{ max_words: { limit: 9 } }] }) }))
    await run()
})

test('takes a contract from a file of its own', async () => {
  const folder = await folderWith({
    'a.test.yaml': `contract: ./own.yaml\n${cases}`,
    'own.yaml': 'checks: [{ max_words: { limit: 3 } }]\n',
  })
  for (const { run } of await testCases(join(folder, 'a.test.yaml'))) await run()
})

test.each([
  [
    'an unknown contract',
    { 'a.test.yaml': `contract: breif\n${cases}`, 'stickler.yaml': config },
    'unknown contract "breif"; did you mean "brief"?',
  ],
  [
    'a contract that is wrong',
    { 'a.test.yaml': cases, 'stickler.yaml': 'contracts: { x: { checks: [max_word] } }\n' },
    /stickler\.yaml:1:\d+: contracts\.x\.checks\.0.*did you mean "max_words"\?/,
  ],
])('rejects %s before a case runs', async (_, files, says) => {
  const folder = await folderWith(files as unknown as Record<string, string>)
  await expect(testCases(join(folder, 'a.test.yaml'))).rejects.toThrow(says)
})

test('never passes what could not be checked, unless that is expected', async () => {
  const crashing = defineValidator({
    name: 'crashing',
    summary: 'Crashes.',
    options: z.strictObject({}),
    codes: {},
    instruct: () => '',
    prepare: () => ({
      *check() {
        yield* []
        throw new Error('boom')
      },
    }),
  })
  const folder = await folderWith({
    'a.test.yaml': 'cases: [{ answer: a, expect: { codes: [] } }, { answer: b, expect: { status: unchecked } }]\n',
  })
  const [silent, told] = await testCases(join(folder, 'a.test.yaml'), { contract: contract({ checks: [crashing({})] }) })
  await expect(silent?.run()).rejects.toThrow('status: expected "checked", got "unchecked"')
  await expect(told?.run()).resolves.toBeUndefined()
})

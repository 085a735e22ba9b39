import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError } from '@stickler/core'
import { avapLanguage } from '@stickler/presets/avap'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localParser, openParser, parserSettings } from '../index.ts'
import { languagesWith } from './with-catalogues.ts'

const catalogue = {
  commands: { sendMail: [2, 3], end: 0, inBackground: { arguments: 1, block: true }, fetch: { arguments: 2, assigned: 1 } },
  aliases: { mail: { command: 'sendMail', wording: 'undefined' } },
}
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalogues-'))
  await writeFile(join(folder, 'avap.json'), JSON.stringify(catalogue))
  await writeFile(join(folder, 'broken.json'), '{')
})
afterAll(() => rm(folder, { recursive: true }))

const refusal = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message
  }
  return 'nothing was refused'
}

test('the commands, blocks and suggestions are those of the catalogue', async () => {
  const [avap] = languagesWith({ avap: catalogue }).filter(({ name }) => name === 'avap')
  const parse = await (avap ?? avapLanguage()).load()
  expect(parse('sendMail(a, b)\ninBackground(t)\nx = fetch(a)\nend()')).toEqual([])
  expect(parse('addVar(a, 1)\nmail(a, b)\nfetch(a)\ninBackground(t)\nfor a in b:').map(({ message }) => message)).toEqual([
    "unknown command 'addVar' — expected known identifier",
    "'mail' not defined — did you mean 'sendMail'?",
    "wrong number of arguments for 'fetch' — expected 2, found 1",
    "'inBackground(...)' not closed — expected 'end()'",
    "unexpected construct 'for a in b' — AVAP loop syntax required",
  ])
})

test('a local parser uses it, and its processes too', async () => {
  const parser = localParser({ catalogues: { avap: catalogue }, processes: 1 })
  try {
    expect(await parser.parse('avap', 'sendMail(a, b)')).toEqual({ verdict: 'valid' })
    expect(await parser.parse('avap', 'addResult(a)')).toMatchObject({ verdict: 'invalid' })
  } finally {
    await parser.close()
  }
})

test('the parser key names the file', async () => {
  const parser = await openParser(parserSettings({ catalogues: { avap: 'avap.json' } }, { env: {}, folder }))
  try {
    expect(await parser.parse('avap', 'sendMail(a, b)')).toEqual({ verdict: 'valid' })
  } finally {
    await parser.close()
  }
})

describe('what is refused', () => {
  test.each([
    [{ avap: 1 }, 'catalogues.avap: Invalid input: expected object, received number'],
    [{ avap: { commands: { a: -1 } } }, 'catalogues.avap.commands.a: Too small: expected number to be >=0'],
    [{ avap: { commands: { a: [2, 1] } } }, 'catalogues.avap.commands.a: the least comes first'],
    [{ avap: { comands: {} } }, 'catalogues.avap: unknown key "comands"; did you mean "commands"?'],
    [{ avapp: {} }, 'catalogues.avapp: no language of this name takes a catalogue; did you mean "avap"?'],
    [{ python: {} }, 'catalogues.python: no language of this name takes a catalogue; those that do: avap'],
  ])('%j', (catalogues, message) => {
    expect(refusal(() => localParser({ catalogues }))).toBe(message)
  })

  test('files that cannot be read, and files beside a service', async () => {
    const open = (file: string) => openParser(parserSettings({ catalogues: { avap: file } }, { env: {}, folder }))
    await expect(open('absent.json')).rejects.toThrow(`catalogues.avap: cannot read ${join(folder, 'absent.json')}: there is no such file`)
    await expect(open('broken.json')).rejects.toThrow(`catalogues.avap: ${join(folder, 'broken.json')} is not JSON`)
    expect(refusal(() => parserSettings({ url: 'grpc://a:1', catalogues: { avap: 'avap.json' } }, { env: {}, folder }))).toBe(
      'parser.catalogues: needs the local parser; a service has its own',
    )
  })
})

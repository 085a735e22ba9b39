import { ParserUnavailable } from '@stickler/core/validators'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostileSources } from '../../../../bench/parser/hostile-sources.mjs'
import { requireBuilt } from '../../../../e2e/support/require-built.ts'
import { localParser } from './local-parser.ts'

beforeAll(() => requireBuilt(['core', 'parser']))

const parser = localParser({ timeoutMs: 1000 })
afterAll(() => parser.close())

const kinds = Object.entries(hostileSources)
/** Every language gets some of the kinds, and every kind some language; `npm run bench parser` tries all of both at 1 MB. */
const each = 3
const cases = parser.languages().map((language, at) => ({
  language,
  sources: Array.from({ length: each }, (_, turn) => kinds[(at * each + turn) % kinds.length] ?? expect.fail('no kind')),
}))

async function outcomeOf(language: string, source: string): Promise<string> {
  try {
    return (await parser.parse(language, source)).verdict
  } catch (error) {
    if (error instanceof ParserUnavailable) return error.reason
    throw error
  }
}

test.each(cases)(
  'hostile $language ends with a verdict or as too hard, and the next snippet has its verdict',
  async ({ language, sources }) => {
    for (const [kind, make] of sources) {
      expect(['valid', 'invalid', 'too-hard'], kind).toContain(await outcomeOf(language, make(60_000)))
      expect(['valid', 'invalid'], `after ${kind}`).toContain(await outcomeOf(language, `x${'\n'.repeat(kind.length)}`))
    }
  },
)

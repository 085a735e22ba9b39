import { describe, expect, test } from 'vitest'
import { contract } from '../../../presets/src/testing/contract.ts'
import type { FilePort } from '../contract/ports.ts'
import { scripted } from '../testing/index.ts'
import { check } from './check/check.ts'
import { enforce, enforceStream } from './enforce.ts'

const files: FilePort = { kind: async () => 'file', list: async () => [] }
const rules = contract({ preset: 'helix' })

/** A record with code blocks of every kind, as models write them. */
const record = [
  '---\nadr_id: "038"\ntitle: Enforcement\nstatus: Proposed\nfiles:\n  modify:\n    - src/a.py\n---\n\n# ADR-038: Enforcement\n',
  '## Kontext\n\nJede Antwort endet mit `<!-- STEP: what|why|constraints|generate|finalize|done -->`.\n\n### Ablauf\n',
  '```\n┌────┐\n│ a  │\n└────┘\n```\n\n## Entscheidung\n\n```python\ndef f():\n    return "```yaml" in x\n```\n\nStruktur:\n```\nsrc/\n```\n',
  '1. Aufruf\n\n   ```bash\n   rm *.bak\n   ```\n\n## Akzeptanzkriterien\n\n### Tests\n\n- [ ] a\n- [ ] b\n- [x] c',
].join('\n')
const marker = '<!-- STEP: generate -->'
const wrapped = `\`\`\`markdown\n${record}\n\`\`\``

describe.each([
  ['alone', `${record}\n\n${marker}\n`],
  ['in a fence', `${wrapped}\n\n${marker}\n`],
  ['in a fence, with the marker right behind it', `${wrapped}\n${marker}`],
  ['in a fence, behind words', `Hier ist der ADR:\n\n${wrapped}\n\nPasst das?\n\n${marker}`],
  ['in a fence that ends with a blank line', `\`\`\`md\n${record}\n\n\`\`\`\n${marker}`],
  ['in a longer fence', `\`\`\`\`adr\n${record}\n\`\`\`\`\n${marker}`],
  ['in a fence of tildes', `~~~markdown\n${record}\n~~~\n${marker}`],
  ['with CRLF', `${wrapped}\n\n${marker}`.replaceAll('\n', '\r\n')],
])('a record %s', (_name, text) => {
  const facts = { step_marker: { step: 'generate' }, adr_structure: { criteria: 3 } }

  test('is valid', async () => {
    expect(await check(rules, text, { ports: { files } })).toMatchObject({ issues: [], unchecked: [], facts })
  })

  test.each(['hold', 'verified'] as const)('is valid on a stream: %s', async (stream) => {
    for (const size of [1, 7, 4000]) {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      const runner = scripted([{ chunks }])
      const run = enforceStream({ contract: contract({ preset: 'helix', stream }), runner, prompt: 'p', ports: { files } })
      let shown = ''
      for await (const piece of run) shown += piece
      expect({ shown, outcome: await run.outcome }).toMatchObject({ shown: text, outcome: { status: 'valid', attempts: 1, facts } })
    }
  })
})

test.each([
  ['without a marker', `${wrapped}\n`],
  ['with the marker in the fence', `\`\`\`markdown\n${record}\n\n${marker}\n\`\`\`\n`],
  ['with the marker in a fence that is not closed', `\`\`\`markdown\n${record}\n\n${marker}\n`],
])('a record %s is repaired to `generate`', async (_name, text) => {
  const outcome = await enforce({ contract: rules, runner: scripted([text, text, text]), prompt: 'p', ports: { files } })
  expect(outcome).toMatchObject({ status: 'repaired', issues: [], fixed: [{ code: 'MISSING_STEP_MARKER' }] })
  expect(outcome.facts.step_marker).toEqual({ step: 'generate' })
  expect(outcome.text?.startsWith(text)).toBe(true)
})

import { check, contract, enforce, enforceStream, type FilePort } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import { expect, test } from 'vitest'
import { helix } from './index.ts'

test.each(['whole', 'streamed'])(
  'feedback has the issues in the order of the validators, also of those that a repair corrects last: %s',
  async (how) => {
    const text =
      '---\nadr_id: 7\ntitle: x\nfiles:\n  modify: [gone.py]\n---\n\n## Kontext\n\nx\n\n## Akzeptanzkriterien\n\n- [ ] a\n- [ ] b\n- [ ] c\n'
    const runner = scripted([text, text, text])
    const files: FilePort = { kind: async () => 'missing', list: async () => [] }
    const given = { contract: contract({ preset: helix }), runner, prompt: 'p', ports: { files } }
    await (how === 'whole' ? enforce(given) : enforceStream(given).outcome)
    expect(runner.calls[1]?.feedback).toBe(
      [
        'WICHTIG: Deine letzte Antwort hatte Validierungsfehler. Bitte korrigiere:',
        '',
        '**MISSING_STEP_MARKER**: Response enthält keinen STEP-Marker',
        '  → Fix: Füge am Ende hinzu: <!-- STEP: what|why|constraints|generate|finalize|done -->',
        '',
        '**MISSING_ADR_FIELD**: ADR fehlt Pflichtfeld im Header: status',
        "  → Fix: Füge 'status' zum YAML-Header hinzu",
        '',
        '**MISSING_ADR_SECTION**: ADR fehlt Section: ## Entscheidung',
        "  → Fix: Füge Section '## Entscheidung' mit Inhalt hinzu",
        '',
        '**FILE_NOT_FOUND**: files.modify referenziert nicht existierende Datei: gone.py',
        "  → Fix: Entferne 'gone.py' aus files.modify oder verschiebe nach files.create",
        '',
        'Bitte wiederhole deine Antwort mit den Korrekturen.',
      ].join('\n'),
    )
  },
)

const record = (criteria: string) =>
  `---\nadr_id: 38\ntitle: x\nstatus: Proposed\n---\n\n## Kontext\n\nx\n\n## Entscheidung\n\ny\n\n## Akzeptanzkriterien\n${criteria}`

test('a chat checks the marker alone, a record all three', () => {
  expect(contract({ preset: helix, checks: ['step_marker'] }).validators.map(({ name }) => name)).toEqual(['step_marker'])
  expect(contract({ preset: helix }).validators.map(({ name }) => name)).toEqual(['step_marker', 'adr_structure', 'file_existence'])
})

test('criteria below subsections alone are counted, as in ADR-038', async () => {
  const groups = Array.from({ length: 4 }, (_, at) => `\n### ${at + 1}. Teil\n\n- [ ] a\n- [x] b\n- [ ] c\n- [ ] d\n`)
  const { issues, facts } = await check(contract({ preset: helix, checks: ['adr_structure'] }), record(groups.join('')))
  expect([issues, facts.adr_structure]).toEqual([[], { criteria: 16 }])
})

test('only errors cause a retry, and warnings stay in the outcome', async () => {
  const given = { contract: contract({ preset: helix, checks: ['adr_structure'] }), runner: scripted([record('\n- [ ] a\n')]), prompt: 'p' }
  const { status, attempts, issues } = await enforce(given)
  expect([status, attempts, issues.map(({ code }) => code)]).toEqual(['valid', 1, ['INSUFFICIENT_CRITERIA']])
})

test('a record without a field is asked for again, and never completed', async () => {
  const text = record('\n- [ ] a\n- [ ] b\n- [ ] c\n').replace('status: Proposed\n', '')
  const given = {
    contract: contract({ preset: helix, checks: ['adr_structure'] }),
    runner: scripted([text, `${text} `, `${text}\n`]),
    prompt: 'p',
  }
  const { status, attempts, repairs } = await enforce(given)
  expect([status, attempts, repairs]).toEqual(['unresolved', 3, []])
})

import { contract, enforce, enforceStream } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import { expect, test } from 'vitest'
import { helix } from './index.ts'

test.each(['whole', 'streamed'])(
  'feedback has the issues in the order of the validators, also of those that a repair corrects last: %s',
  async (how) => {
    const text =
      '---\nadr_id: 7\ntitle: x\nfiles:\n  modify: [gone.py]\n---\n\n## Kontext\n\nx\n\n## Akzeptanzkriterien\n\n- [ ] a\n- [ ] b\n- [ ] c\n'
    const runner = scripted([text, text, text])
    const files = { kind: async () => 'missing', list: async () => [] } as const
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

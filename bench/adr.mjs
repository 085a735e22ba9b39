/** Decision records in German as a HELIX consultant writes them: the same text for the same size, on every machine. */

const subjects = [
  'Der Scheduler',
  'Die Warteschlange',
  'Das Gateway',
  'Der Consultant',
  'Die Sitzungsverwaltung',
  'Der Exportdienst',
  'Das Prüfmodul',
  'Die Zwischenablage',
]
const verbs = ['übergibt', 'verwirft', 'bestätigt', 'protokolliert', 'wiederholt', 'bündelt', 'verschlüsselt', 'begrenzt']
const objects = [
  'jeden Auftrag mit `job_id` und Zeitstempel',
  'die Antwort des Modells',
  'abgelaufene Einträge – höchstens **500** je Lauf',
  'den Zustand der Sitzung in `sessions.state`',
  'alle Schlüssel aus [der Konfiguration](../konfiguration.md)',
  'Meldungen der Klasse *Warnung*',
  'die Teilergebnisse der Phasen',
  'unbestätigte Änderungen',
]
const reasons = [
  'damit ein Neustart nichts verliert',
  'weil die Reihenfolge sonst vom Zufall abhängt',
  'sobald drei Versuche gescheitert sind',
  'ohne auf den nächsten Takt zu warten',
  'solange der Speicher unter 80 % bleibt',
  'bevor das Ergebnis in der Übersicht erscheint',
]
const names = ['Annahme', 'Zustellung', 'Ablage', 'Prüfung', 'Freigabe', 'Auswertung', 'Rückmeldung', 'Wartung']

/** The files that the record says it changes; they exist in `memoryFiles`. */
const modified = ['src/auftrag/annahme.py', 'src/auftrag/zustellung.py', 'src/sitzung/ablage.py']

/** A file port that knows the modified files and nothing else. */
export const memoryFiles = {
  kind: async (path) => (modified.includes(path) ? 'file' : 'missing'),
  list: async (limit) => modified.slice(0, limit),
}

/** A valid record of about `bytes` bytes in UTF-8; one that modifies files is held in a stream, since a repair might change its header. */
export function makeAdr(bytes, { modifies = true } = {}) {
  const pick = picker(38)
  const parts = [opening(pick, modifies ? modified : [])]
  const closing = `${criteria(pick)}\n## Konsequenzen\n\n${paragraph(pick, 4)}\n<!-- STEP: finalize -->\n`
  let left = bytes - size(parts[0]) - size(closing)
  for (let number = 1; left > 0; number++) {
    const part = chapter(pick, number)
    left -= size(part)
    parts.push(part)
  }
  return [...parts, closing].join('')
}

function opening(pick, files) {
  return `---
adr_id: "047"
title: "Zustellung von Aufträgen ohne Verlust"
status: Proposed
component_type: SERVICE
domain: helix
language: python
skills:
  - helix
  - queues
files:
  create:
    - src/auftrag/quittung.py
    - tests/unit/test_quittung.py
  modify:${files.length === 0 ? ' []' : ''}
${files.map((path) => `    - ${path}\n`).join('')}depends_on:
  - ADR-012
---

# ADR-047: Zustellung von Aufträgen ohne Verlust

## Status

Proposed

## Kontext

${paragraph(pick, 5)}
${paragraph(pick, 4)}
## Entscheidung

${paragraph(pick, 3)}
`
}

/** One subsection: prose, a list, and in turn a table, code or check boxes. */
function chapter(pick, number) {
  const extra = [table, code, steps][number % 3]
  return `### ${number}. ${pick(names)}\n\n${paragraph(pick, 4)}\n${bullets(pick, 4)}\n${extra(pick, number)}\n${paragraph(pick, 3)}\n`
}

function sentence(pick) {
  return `${pick(subjects)} ${pick(verbs)} ${pick(objects)}, ${pick(reasons)}.`
}

/** Prose, one sentence per line. */
function paragraph(pick, sentences) {
  return `${Array.from({ length: sentences }, () => sentence(pick)).join('\n')}\n`
}

function bullets(pick, count) {
  return `${Array.from({ length: count }, (_, index) => `${index % 2 === 0 ? '- ' : '  - '}**${pick(names)}**: ${sentence(pick)}`).join('\n')}\n`
}

function steps(pick) {
  return `${Array.from({ length: 4 }, (_, index) => `${index + 1}. ${sentence(pick)}`).join('\n')}\n`
}

function table(pick) {
  const rows = Array.from({ length: 5 }, () => `| ${pick(names)} | ${pick(objects)} | ${pick(reasons)} |`)
  return `| Schritt | Gegenstand | Begründung |\n| --- | --- | :--- |\n${rows.join('\n')}\n`
}

function code(pick, number) {
  return `\`\`\`python
class Quittung${number}:
    """${sentence(pick)}"""

    def pruefe(self, auftrag: Auftrag) -> Ergebnis:
        # ${pick(reasons)}
        if auftrag.versuche > ${number % 9}:
            return Ergebnis(gueltig=False, grund="zu viele Versuche")
        for eintrag in auftrag.eintraege:
            self.ablage[eintrag.schluessel] = eintrag.wert
        return Ergebnis(gueltig=True, grund=None)
\`\`\`
`
}

function criteria(pick) {
  const boxes = Array.from({ length: 6 }, (_, index) => `- [${index % 3 === 0 ? 'x' : ' '}] ${sentence(pick)}`)
  return `## Akzeptanzkriterien\n\n### Funktion\n\n${boxes.join('\n')}\n`
}

/** Picks from lists by a linear congruential generator. */
function picker(seed) {
  let state = seed
  return (list) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return list[Math.floor((state / 2 ** 32) * list.length)]
  }
}

function size(text) {
  return Buffer.byteLength(text)
}

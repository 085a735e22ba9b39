import type { Locale } from '@stickler/core'
import { faultWords } from '@stickler/core/internal/validators'

interface AdrMessages {
  instruct(sections: readonly string[], fields: readonly string[]): string
  readonly missingHeader: readonly [string, string]
  invalidYaml(reason: string): readonly [string, string]
  missingField(field: string): readonly [string, string]
  missingTitle: readonly [string, string]
  missingSection(section: string, near: string | undefined): readonly [string, string]
  emptySection(section: string): readonly [string, string]
  fewCriteria(count: number, wanted: number): readonly [string, string]
}

const headings = (sections: readonly string[]): string => sections.map((section) => `## ${section}`).join(', ')

/** What the messages and hints on decision records say, by language. */
export const adrMessages: Readonly<Record<Locale, AdrMessages>> = {
  en: {
    instruct: (sections, fields) =>
      `Write decision records with ${fields.length > 0 ? `a YAML header that has ${fields.join(', ')}, and ` : ''}the sections ${headings(sections)}.`,
    missingHeader: ['Start the ADR with a YAML header; it has none.', 'Put the fields between two lines of ---'],
    invalidYaml: (reason) => [
      `Correct the ADR's YAML header; it cannot be read: ${faultWords(reason)}.`,
      'Check the YAML syntax of the header',
    ],
    missingField: (field) => [`Fill in ${field} in the ADR's header; it is missing or empty.`, `Add '${field}' to the YAML header`],
    missingTitle: ['Give the ADR a title; it has no heading of level 1.', "Add a line '# Title'"],
    missingSection: (section, near) => [
      `Add the section ## ${section} to the ADR; it is missing.`,
      near === undefined ? `Add the section '## ${section}' with content` : `Write the heading '${near}' as '## ${section}'`,
    ],
    emptySection: (section) => [
      `Fill in the section ## ${section} of the ADR; it is empty.`,
      `Write the content of the section below '## ${section}'`,
    ],
    fewCriteria: (count, wanted) => [
      `List at least ${wanted} acceptance criteria; the ADR has ${count}.`,
      "Add concrete, testable criteria as '- [ ] …'",
    ],
  },
  de: {
    instruct: (sections, fields) =>
      `Schreibe ADRs mit ${fields.length > 0 ? `einem YAML-Header, der ${fields.join(', ')} enthält, und ` : ''}den Sections ${headings(sections)}.`,
    missingHeader: ['ADR fehlt YAML-Header', 'Füge YAML-Header mit --- Delimitern hinzu'],
    invalidYaml: () => ['ADR hat ungültigen YAML-Header', 'Prüfe YAML-Syntax im Header'],
    missingField: (field) => [`ADR fehlt Pflichtfeld im Header: ${field}`, `Füge '${field}' zum YAML-Header hinzu`],
    missingTitle: ['Gib dem ADR einen Titel; es hat keine Überschrift der Ebene 1.', "Füge eine Zeile '# Titel' hinzu"],
    missingSection: (section, near) => [
      `ADR fehlt Section: ## ${section}`,
      near === undefined ? `Füge Section '## ${section}' mit Inhalt hinzu` : `Schreibe die Überschrift '${near}' als '## ${section}'`,
    ],
    emptySection: (section) => [
      `Fülle die Section ## ${section} im ADR aus; sie ist leer.`,
      `Schreibe den Inhalt der Section unter '## ${section}'`,
    ],
    fewCriteria: (count, wanted) => [
      `ADR hat nur ${count} Akzeptanzkriterien (mindestens ${wanted} empfohlen)`,
      'Füge mehr konkrete, testbare Akzeptanzkriterien hinzu',
    ],
  },
}

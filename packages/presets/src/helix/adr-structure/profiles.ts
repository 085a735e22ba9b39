import type { Heading } from '@stickler/core/internal'

/** What a kind of decision record must have. */
export interface AdrProfile {
  readonly fields: readonly string[]
  readonly sections: readonly string[]
  /** Whether the header must be there; where it need not, it must still be valid YAML. */
  readonly headerRequired: boolean
  readonly titleRequired: boolean
  /** Whether an empty section counts as missing: records of others may leave an outcome open. */
  readonly contentRequired: boolean
  readonly ignoreCase: boolean
  /** Whether a section may occur at any level below the title: long records divide themselves once more. */
  readonly anyLevel: boolean
  /** The section whose check boxes are counted. */
  readonly criteriaSection?: string
}

const helix = {
  fields: ['adr_id', 'title', 'status'],
  headerRequired: true,
  titleRequired: false,
  contentRequired: true,
  ignoreCase: false,
  anyLevel: false,
}

/** The profiles that ship with Stickler, `helix` by the language of its headings. */
export const adrProfiles = {
  helix: {
    de: { ...helix, sections: ['Kontext', 'Entscheidung', 'Akzeptanzkriterien'], criteriaSection: 'Akzeptanzkriterien' },
    en: { ...helix, sections: ['Context', 'Decision', 'Acceptance Criteria'], criteriaSection: 'Acceptance Criteria' },
  },
  madr: {
    fields: [],
    sections: ['Context and Problem Statement', 'Considered Options', 'Decision Outcome'],
    headerRequired: false,
    titleRequired: true,
    contentRequired: false,
    ignoreCase: true,
    anyLevel: true,
  },
  nygard: {
    fields: [],
    sections: ['Status', 'Context', 'Decision', 'Consequences'],
    headerRequired: false,
    titleRequired: false,
    contentRequired: false,
    ignoreCase: true,
    anyLevel: false,
  },
} as const satisfies Record<string, AdrProfile | Record<string, AdrProfile>>

/** Whether a heading is a section that the profile asks for. */
export function isSection(heading: Heading, section: string, { ignoreCase, anyLevel }: AdrProfile): boolean {
  if (heading.nested || heading.level < 2 || (heading.level > 2 && !anyLevel)) return false
  return ignoreCase ? heading.text.toLowerCase() === section.toLowerCase() : heading.text === section
}

/** Whether a heading differs from a section only in its level, its case, or by signs and numbers. */
export function isNearMiss({ nested, text }: Heading, section: string): boolean {
  return !nested && lettersOf(text) === lettersOf(section)
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/\P{L}+/gu, '')
}

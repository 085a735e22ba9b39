import { defineValidator, type Locale } from '@stickler/core'
import { locales } from '@stickler/core/internal'
import * as z from 'zod'
import { hasTooManyHeaders } from '../records/metadata-headers.ts'
import { tooManyHeaders } from '../records/too-complex-header.ts'
import { inspectAdrs } from './inspect.ts'
import { adrMessages } from './messages.ts'
import { type AdrProfile, adrProfiles } from './profiles.ts'
import { recogniseAdrs } from './recognise.ts'
import { AdrStream } from './stream.ts'

const names = () => z.array(z.string().trim().min(1)).min(1)

const optionsSchema = () =>
  z.strictObject({
    profile: z.enum(['helix', 'madr', 'nygard']).default('helix').describe('Which kind of decision record is expected.'),
    language: z
      .enum(locales)
      .optional()
      .describe('Language of the headings that the `helix` profile requires; by default the `locale` of the contract.'),
    required: z.boolean().default(false).describe('The answer must be a decision record; otherwise other answers are not checked.'),
    fields: names().optional().describe('Fields that the YAML header must have; the default is that of the profile.'),
    sections: names().optional().describe('Required headings of level 2; the default is that of the profile.'),
    criteriaSection: z.string().trim().min(1).optional().describe('The section whose check boxes are counted.'),
    minCriteria: z.int().nonnegative().default(3).describe('Fewer acceptance criteria than this are a warning.'),
  })

/** Fails when a decision record lacks its header, a field or a section. */
export const adrStructure = defineValidator({
  name: 'adr_structure',
  summary: 'A decision record (ADR) in the answer is complete: header, fields, sections, acceptance criteria.',
  get options() {
    return optionsSchema()
  },
  codes: {
    MISSING_YAML_HEADER: {
      severity: 'error',
      when: 'The title or headings are those of an ADR, but there is no YAML header, or one that begins with `adr_id` and never closes.',
      fix: 'Start the document with the fields between two lines of `---`.',
    },
    INVALID_YAML: {
      severity: 'error',
      when: 'The YAML header cannot be read, or is not a mapping.',
      fix: 'Correct the syntax: quotes, indentation, duplicate keys.',
    },
    MISSING_ADR_FIELD: {
      severity: 'error',
      when: 'A required field of the header, or the title of a `madr` record, is missing or empty.',
      fix: 'Fill the field in; it is never invented.',
    },
    MISSING_ADR_SECTION: {
      severity: 'error',
      when: 'A required heading of level 2 is missing, or with the profile `helix` empty; headings inside code fences and of other levels do not count.',
      fix: 'Add the section with content under exactly that heading; the hint names one that is nearly right.',
    },
    INSUFFICIENT_CRITERIA: {
      severity: 'warning',
      when: 'The section of acceptance criteria has fewer check boxes than `minCriteria`.',
      fix: 'Add concrete, testable criteria as `- [ ] …`.',
    },
  },
  instruct: (given, locale) => {
    const { sections, fields } = resolveProfile(given, locale)
    return adrMessages[locale].instruct(sections, fields)
  },
  prepare: (given) => {
    const profiles = { en: resolveProfile(given, 'en'), de: resolveProfile(given, 'de') }
    return {
      *check(answer, { locale }) {
        if (hasTooManyHeaders(answer)) throw tooManyHeaders()
        const profile = profiles[locale]
        yield* inspectAdrs(recogniseAdrs(answer, profile, given.required), profile, given.minCriteria, locale)
      },
      incremental: ({ locale }) =>
        new AdrStream({ profile: profiles[locale], required: given.required, minCriteria: given.minCriteria, locale }),
    }
  },
})

function resolveProfile(
  { profile, language, fields, sections, criteriaSection }: z.output<ReturnType<typeof optionsSchema>>,
  locale: Locale,
): AdrProfile {
  const base: AdrProfile = profile === 'helix' ? adrProfiles.helix[language ?? locale] : adrProfiles[profile]
  return { ...base, ...(fields ? { fields } : {}), ...(sections ? { sections } : {}), ...(criteriaSection ? { criteriaSection } : {}) }
}

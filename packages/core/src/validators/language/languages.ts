/** The supported languages: ISO 639-1, and the detector's names for them and for languages it confuses with them. */
const detected = {
  af: ['afr'],
  am: ['amh'],
  ar: ['arb'],
  az: ['azj'],
  be: ['bel'],
  bg: ['bul'],
  bn: ['ben'],
  bs: ['bos', 'hrv', 'srp'],
  ca: ['cat'],
  cs: ['ces'],
  da: ['dan'],
  de: ['deu'],
  el: ['ell'],
  en: ['eng'],
  es: ['spa'],
  et: ['ekk'],
  fa: ['pes'],
  fi: ['fin'],
  fr: ['fra'],
  gl: ['glg'],
  gu: ['guj'],
  he: ['heb'],
  hi: ['hin', 'bho', 'mai', 'mag'],
  hr: ['hrv', 'bos', 'srp'],
  hu: ['hun'],
  hy: ['hye'],
  id: ['ind', 'zlm'],
  it: ['ita'],
  ja: ['jpn'],
  ka: ['kat'],
  kk: ['kaz'],
  km: ['khm'],
  kn: ['kan'],
  ko: ['kor'],
  lo: ['lao'],
  lt: ['lit'],
  lv: ['lvs'],
  mk: ['mkd'],
  ml: ['mal'],
  mr: ['mar'],
  ms: ['zlm', 'ind'],
  my: ['mya'],
  ne: ['npi'],
  nl: ['nld'],
  no: ['nob', 'nno'],
  pa: ['pan'],
  pl: ['pol'],
  ps: ['pbu'],
  pt: ['por'],
  ro: ['ron'],
  ru: ['rus'],
  si: ['sin'],
  sk: ['slk'],
  sl: ['slv'],
  so: ['som'],
  sq: ['als'],
  sr: ['srp', 'bos', 'hrv'],
  sv: ['swe'],
  sw: ['swh'],
  ta: ['tam'],
  te: ['tel'],
  th: ['tha'],
  tl: ['tgl'],
  tr: ['tur'],
  uk: ['ukr'],
  ur: ['urd'],
  uz: ['uzn'],
  vi: ['vie'],
  zh: ['cmn'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The code of a language that is told apart. */
export type LanguageCode = keyof typeof detected

const names: Readonly<Record<string, readonly string[]>> = detected

/** The codes of the languages, as options take them. */
export const languageCodes = Object.keys(detected) as LanguageCode[]

/** The detector's names of all languages. */
export const detectorCodes: readonly string[] = [...new Set(Object.values(detected).flat())]

/** The detector's names of a language. */
export function namesOf(code: string): readonly string[] {
  return names[code] ?? []
}

/** The language that a name of the detector means. */
export function languageOf(name: string): string {
  return languageCodes.find((code) => names[code]?.[0] === name) ?? languageCodes.find((code) => names[code]?.includes(name)) ?? name
}

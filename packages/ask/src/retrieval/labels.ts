/** A passage that was found, as far as it says what it is about. */
export interface Found {
  readonly urn: string
  readonly text: string
  readonly headings: readonly string[]
}

/** Names that begin with a number of three digits or more, or with a date (decisions, minutes, posts), and logs of changes. */
const recordName = /(?:^|\/)(?:\d{3,}[-_. ]|(?:changelog|changes|history|news|release[-_ ]?notes)(?=\.|$))[^/]*$/i
const firstPassage = /#L1(?:-|C|$)/

/** The document of a passage. */
export function pathOf(urn: string): string {
  const at = urn.lastIndexOf('#')
  return at < 0 ? urn : urn.slice(0, at)
}

/** Whether a passage is from one record of a series, which mentions what guides and references explain. */
export function isOfRecord(urn: string): boolean {
  return recordName.test(pathOf(urn))
}

/** Whether a passage is the first one of its document, which says what that is for. */
export function isFirstPassage(urn: string): boolean {
  return firstPassage.test(urn)
}

/** What a passage is about: the name of its file, without extension and without the number that records are filed under, and its headings. */
export function labelsOf({ urn, headings }: Pick<Found, 'urn' | 'headings'>): readonly string[] {
  const path = pathOf(urn)
  const name = path.slice(path.lastIndexOf('/') + 1)
  return [name.replace(/\.[^.]{1,10}$/, '').replace(/^\d{1,6}[-_. ]/, ''), ...headings]
}

const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** How long a provider asks to wait, from `retry-after-ms` or `retry-after`; nothing when they make no sense. */
export function readRetryAfter(headers: Pick<Headers, 'get'>, today: () => number): number | undefined {
  const ms = readNumber(headers.get('retry-after-ms'))
  if (ms !== undefined) return ms
  const given = headers.get('retry-after')?.trim() ?? ''
  const seconds = readNumber(given)
  if (seconds !== undefined) return seconds * 1000
  // Date.parse finds a date in almost anything, so the form is checked first.
  const date = httpDate.test(given) ? Date.parse(given) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - today())
}

function readNumber(text: string | null): number | undefined {
  if (text === null || !/^\d{1,12}(?:\.\d{1,6})?$/.test(text.trim())) return undefined
  return Number(text)
}

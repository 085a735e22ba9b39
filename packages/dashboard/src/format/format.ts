/** Tokens of a run, and what they cost. */
interface Usage {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cost?: number
}

/** Formats values as text. */
export type Format = ReturnType<typeof createFormat>

/** Makes the functions that format numbers, times and texts. */
export function createFormat({ locale, timeZone }: { readonly locale?: string; readonly timeZone?: string } = {}) {
  const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
  const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
  const zone = timeZone === undefined ? {} : { timeZone }
  const clock = new Intl.DateTimeFormat(locale, { ...zone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const day = new Intl.DateTimeFormat(locale, { ...zone, dateStyle: 'medium', timeStyle: 'medium' })
  const hour = new Intl.DateTimeFormat(locale, { ...zone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' })
  const date = new Intl.DateTimeFormat(locale, { ...zone, month: 'short', day: 'numeric' })
  const zoned = new Intl.DateTimeFormat(locale, { ...zone, hour: '2-digit', timeZoneName: 'short' })
  const minute = new Intl.DateTimeFormat(locale, {
    ...zone,
    hourCycle: 'h23',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })

  const written = (known: Intl.DateTimeFormat, at: number): string => (Math.abs(at) <= 8.64e15 ? known.format(at) : '–')

  /** Writes invisible characters, and those that change the text direction, as code points. */
  const visible = (text: string): string =>
    text.replace(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: this is the pattern.
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
      (character) => (character === '\r' ? '' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
    )

  return {
    visible,

    number: (value: number): string => (Math.abs(value) < 10_000 ? numbers : short).format(value),

    /** A number with all its digits. */
    whole: (value: number): string => numbers.format(value),

    clock: (at: number): string => written(clock, at),

    day: (at: number): string => written(day, at),

    /** The form that machines read. */
    iso: (at: number): string => (Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : ''),

    duration(ms: number): string {
      if (ms < 1) return '< 1 ms'
      if (ms < 999.5) return `${Math.round(ms)} ms`
      if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
      const seconds = Math.round(ms / 1000)
      return `${numbers.format(Math.floor(seconds / 60))} min ${seconds % 60} s`
    },

    /** Dollars and cents; below ten cents with two significant digits, thousands shortened. */
    money(usd: number): string {
      if (usd === 0) return '$0'
      if (Math.abs(usd) < 0.1) return `$${Number(usd.toPrecision(2))}`
      return `$${usd < 1000 ? usd.toFixed(2) : short.format(usd)}`
    },

    /** A long duration in one unit. */
    span(ms: number): string {
      if (ms < 60_000) return `${Math.max(0, Math.round(ms / 1000))} s`
      if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`
      if (ms < 172_800_000) return `${Math.floor(ms / 3_600_000)} h`
      return `${Math.floor(ms / 86_400_000)} d`
    },

    /** A number whose unit is in its name: `lagMs`, `journalBytes`, `configuredAt`. */
    measure(name: string, value: number): string {
      if (name.endsWith('Ms')) return this.duration(value)
      if (name.endsWith('At')) return this.day(value)
      if (!name.endsWith('Bytes')) return this.number(value)
      const steps = ['B', 'kB', 'MB', 'GB', 'TB']
      const step = value < 1 ? 0 : Math.min(steps.length - 1, Math.floor(Math.log10(value) / 3))
      return `${numbers.format(value / 1000 ** step)} ${steps[step]}`
    },

    /** How long ago a moment was. */
    ago(at: number, now: number): string {
      const seconds = Math.max(0, Math.round((now - at) / 1000))
      if (!Number.isFinite(seconds)) return '–'
      if (seconds < 60) return `${seconds} s ago`
      if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
      if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
      return `${Math.floor(seconds / 86_400)} d ago`
    },

    /** The hour and the minute. */
    hour: (at: number): string => written(hour, at),

    /** The day of the month. */
    date: (at: number): string => written(date, at),

    /** The name of the time zone, such as GMT+1. */
    zone: (at: number): string => zoned.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '',

    /** The day and the minute. */
    minute: (at: number): string => written(minute, at),

    share: (part: number, whole: number): string => (whole === 0 ? '–' : `${numbers.format((100 * part) / whole)} %`),

    usage({ promptTokens, completionTokens, cost }: Usage): string {
      const tokens = `${numbers.format(promptTokens)} in, ${numbers.format(completionTokens)} out`
      return cost === undefined ? tokens : `${tokens}, cost ${Number(cost.toPrecision(3))}`
    },

    /** A place in the text, or in a value. */
    place(span: { readonly start: number; readonly end: number } | undefined, path: readonly (string | number)[] | undefined): string {
      const inValue = (path ?? []).map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
      const inText = span === undefined ? '' : `characters ${span.start} to ${span.end}`
      return [visible(inValue.replace(/^\./, '')), inText].filter((part) => part !== '').join(', ')
    },

    /** The beginning of a long text, and how much of it is missing; no character is cut in two. */
    clamp(text: string, most: number): { readonly shown: string; readonly missing: number } {
      if (text.length <= most) return { shown: visible(text), missing: 0 }
      const last = text.charCodeAt(most - 1)
      const end = last >= 0xd800 && last <= 0xdbff ? most - 1 : most
      return { shown: visible(text.slice(0, end)), missing: text.length - end }
    },
  }
}

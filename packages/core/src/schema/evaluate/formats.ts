/** A value of `format` that is asserted. */
export interface Format {
  /** Whether a text is of it, in time linear to its length; as the full mode of ajv-formats has it. */
  readonly test: (text: string) => boolean
  /** What is to be written, with an example. */
  readonly en: string
  readonly de: string
}

const dateParts = /^(\d{4})-(\d\d)-(\d\d)$/
const timeParts = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)(?:z|([+-])(\d\d)(?::?(\d\d))?)$/i
const daysOfMonth = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDate(text: string): boolean {
  const [, year, month, day] = (dateParts.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day >= 1 && day <= (month === 2 && isLeap ? 29 : (daysOfMonth[month] ?? 0))
}

/** With its offset from UTC, and a leap second only where it is the last one of a day in UTC. */
function isTime(text: string): boolean {
  const parts = timeParts.exec(text)
  if (parts === null) return false
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const [offsetHours, offsetMinutes] = [Number(parts[5] ?? 0), Number(parts[6] ?? 0)]
  if (offsetHours > 23 || offsetMinutes > 59) return false
  if (hour <= 23 && minute <= 59 && second < 60) return true
  const sign = parts[4] === '-' ? -1 : 1
  const minuteInUtc = minute - offsetMinutes * sign
  const hourInUtc = hour - offsetHours * sign - (minuteInUtc < 0 ? 1 : 0)
  return (hourInUtc === 23 || hourInUtc === -1) && (minuteInUtc === 59 || minuteInUtc === -1) && second < 61
}

function isDateTime(text: string): boolean {
  const [date, time, more] = text.split(/[t\s]/i, 3)
  return date !== undefined && time !== undefined && more === undefined && isDate(date) && isTime(time)
}

const octet = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/
/** In an address of the web, with leading zeros. */
const paddedOctet = /^(?:25[0-5]|2[0-4]\d|[01]?\d\d?)$/
const longestIpv6 = 45

function isIpv4(text: string, part = octet): boolean {
  const parts = text.split('.', 5)
  return parts.length === 4 && parts.every((one) => part.test(one))
}

function isIpv6(text: string, part = octet): boolean {
  if (text.length > longestIpv6) return false
  const halves = text.split('::')
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const tail = isIpv4(groups.at(-1) ?? '', part) && !text.endsWith(':') ? groups.pop() : undefined
  const count = groups.length + (tail === undefined ? 0 : 2)
  const isFull = halves.length === 1 ? count === 8 : halves.length === 2 && count <= 7
  return isFull && groups.every((group) => /^[\da-f]{1,4}$/i.test(group))
}

const scheme = /^[a-z][a-z\d+\-.]*:/i
/** A path, or an authority with an address in brackets, which is looked at apart; a query and a fragment may follow. */
const hierarchy =
  /^(?:(?:[\w\-.~!$&'"()*+,;=:@/]|%[\da-f]{2})*|\/?\/(?:(?:[\w\-.~!$&'()*+,;=:]|%[\da-f]{2})*@)?\[(?:([\da-f:.]+)|v[\da-f]+\.[\w\-.~!$&'()*+,;=:]+)\](?::\d*)?(?:\/(?:[\w\-.~!$&'"()*+,;=:@/]|%[\da-f]{2})*)?)(?:\?(?:[\w\-.~!$&'"()*+,;=:@/?]|%[\da-f]{2})*)?(?:#(?:[\w\-.~!$&'"()*+,;=:@/?]|%[\da-f]{2})*)?$/i

function isHierarchy(text: string): boolean {
  const parts = hierarchy.exec(text)
  return parts !== null && (parts[1] === undefined || isIpv6(parts[1], paddedOctet))
}

function isUri(text: string): boolean {
  const rest = text.slice(scheme.exec(text)?.[0].length ?? 0)
  return rest.length < text.length && /^[^?#]/.test(rest) && !text.includes('"') && isHierarchy(rest)
}

function isRegex(text: string): boolean {
  // An anchor of other languages.
  if (/[^\\]\\Z/.test(text)) return false
  try {
    // backtracks: never, since it is only read
    return new RegExp(text) !== undefined
  } catch {
    return false
  }
}

const email = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z\d]+(?:-+[a-z\d]+)*(?:\.[a-z\d]+(?:-+[a-z\d]+)*)+$/i
const label = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i
const duration = /^P(?!$)(?:(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|(?:\d+W)?)$/
const uuid = /^(?:urn:uuid:)?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i
const jsonPointer = /^(?:\/(?:[^~/]|~0|~1)*)*$/

function isHostname(text: string): boolean {
  const name = text.endsWith('.') ? text.slice(0, -1) : text
  return name.length <= 253 && name.split('.').every((one) => label.test(one))
}

/** The formats that are asserted; any other is an annotation. */
export const formats: ReadonlyMap<unknown, Format> = new Map(
  Object.entries<Format>({
    date: { test: isDate, en: 'a date, such as 2026-01-31', de: 'ein Datum, etwa 2026-01-31' },
    time: { test: isTime, en: 'a time with its offset, such as 13:45:00Z', de: 'eine Uhrzeit mit Zeitzone, etwa 13:45:00Z' },
    'date-time': {
      test: isDateTime,
      en: 'a date and time, such as 2026-01-31T13:45:00Z',
      de: 'ein Datum mit Uhrzeit, etwa 2026-01-31T13:45:00Z',
    },
    duration: { test: (text) => duration.test(text), en: 'a duration, such as P1DT12H', de: 'eine Dauer, etwa P1DT12H' },
    email: {
      test: (text) => email.test(text),
      en: 'an email address, such as name@example.com',
      de: 'eine E-Mail-Adresse, etwa name@example.com',
    },
    hostname: { test: isHostname, en: 'a host name, such as www.example.com', de: 'einen Hostnamen, etwa www.example.com' },
    ipv4: { test: (text) => isIpv4(text), en: 'an IPv4 address, such as 192.0.2.1', de: 'eine IPv4-Adresse, etwa 192.0.2.1' },
    ipv6: { test: (text) => isIpv6(text), en: 'an IPv6 address, such as 2001:db8::1', de: 'eine IPv6-Adresse, etwa 2001:db8::1' },
    uri: { test: isUri, en: 'a URI, such as https://example.com/page', de: 'eine URI, etwa https://example.com/page' },
    'uri-reference': {
      test: (text) => isHierarchy(text) || isHierarchy(text.replace(scheme, '')),
      en: 'a URI or a relative reference, such as /page?id=1',
      de: 'eine URI oder relative Referenz, etwa /page?id=1',
    },
    uuid: {
      test: (text) => uuid.test(text),
      en: 'a UUID, such as 123e4567-e89b-42d3-a456-426614174000',
      de: 'eine UUID, etwa 123e4567-e89b-42d3-a456-426614174000',
    },
    'json-pointer': {
      test: (text) => jsonPointer.test(text),
      en: 'a JSON pointer, such as /items/0',
      de: 'einen JSON-Pointer, etwa /items/0',
    },
    regex: { test: isRegex, en: 'a regular expression, such as ^[a-z]+$', de: 'einen regulären Ausdruck, etwa ^[a-z]+$' },
  }),
)

/** Where two decoded values differ, as paths with both values, at most ten. */
export function differences(wanted: unknown, got: unknown, path = ''): string[] {
  if (Object.is(wanted, got)) return []
  if (!isObject(wanted) || !isObject(got) || Array.isArray(wanted) !== Array.isArray(got))
    return [`${path}: ${shown(wanted)} became ${shown(got)}`]
  const keys = new Set([...Object.keys(wanted), ...Object.keys(got)])
  return [...keys].flatMap((key) => differences(wanted[key], got[key], `${path}.${key}`)).slice(0, 10)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

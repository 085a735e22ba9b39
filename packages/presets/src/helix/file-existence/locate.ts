/** No path of a project is longer; what is, is hostile. */
const longestPath = 1024

/** So many layers of percent encoding are looked through. */
const mostLayers = 4

/** The path below the root that a reference means, without `.`, `..` and empty steps; undefined when it leads outside or is unclear. */
export function locate(reference: string): string | undefined {
  if (reference.length > longestPath || layersOf(reference).some(leadsOut)) return undefined
  const steps: string[] = []
  for (const step of reference.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}

/** The reference as written, and decoded once, twice and so on. */
function layersOf(reference: string): string[] {
  const layers = [reference]
  for (let last = reference; layers.length <= mostLayers; ) {
    const decoded = last.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    if (decoded === last) break
    layers.push(decoded)
    last = decoded
  }
  return layers
}

function leadsOut(path: string): boolean {
  return path.includes('\0') || isAbsolute(path) || climbsOut(path)
}

/** A path that does not start at the root: `/a`, `\\host`, `C:\a`, `~/a`, `file:///a`. */
function isAbsolute(path: string): boolean {
  return /^(?:[/\\~]|[a-z]:|file:|[a-z][a-z0-9+.-]*:[/\\]{2})/i.test(path)
}

/** Whether `..` ever rises above the root, with either kind of slash. */
function climbsOut(path: string): boolean {
  let depth = 0
  for (const step of path.split(/[/\\]/)) {
    if (step === '..') depth--
    else if (step !== '' && step !== '.') depth++
    if (depth < 0) return true
  }
  return false
}

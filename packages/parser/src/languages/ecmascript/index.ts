import type { Language, SourceParser, SyntaxFault } from '@stickler/core/validators'

/** JavaScript with JSX, as a script or as a module. */
export const javascript: Language = {
  name: 'javascript',
  parsedBy: 'oxc, as a script or a module: `return` outside of a function is invalid',
  load: () => load('source.jsx'),
}

/** TypeScript, whose assertions such as `<T>value` are not JSX; code with JSX is right too, because few mark it as TSX. */
export const typescript: Language = {
  name: 'typescript',
  parsedBy: 'oxc, also with JSX',
  async load() {
    const [parse, parseWithJsx] = await Promise.all([load('source.ts'), load('source.tsx')])
    return (source) => {
      const faults = parse(source)
      if (faults.length === 0 || !mayHoldJsx(source)) return faults
      const withJsx = parseWithJsx(source)
      // What is understood further is what was meant.
      return withJsx.length === 0 || isLater(withJsx[0], faults[0]) ? withJsx : faults
    }
  },
}

/** TypeScript with JSX. */
export const tsx: Language = { name: 'tsx', parsedBy: 'oxc', load: () => load('source.tsx') }

async function load(filename: string): Promise<SourceParser> {
  const { findFaults } = await import('./find-faults.ts')
  return (source) => findFaults(filename, source)
}

/** Elements end with one of these. */
function mayHoldJsx(source: string): boolean {
  return source.includes('</') || source.includes('/>')
}

function isLater(one: SyntaxFault | undefined, other: SyntaxFault | undefined): boolean {
  if (one === undefined || other === undefined) return false
  return one.line > other.line || (one.line === other.line && one.column > other.column)
}

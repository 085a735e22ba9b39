import { isInternal, openDoors, resolve } from './doors.mjs'
import { root, ts } from './typescript.mjs'

/** The types that types for users mention and that nobody can import, each with its file and with what mentions it. */
export function unexportedTypes() {
  const { checker, doors } = openDoors()
  const exportedBy = new Map(doors.map((door) => [door, new Set(door.exports.values())]))
  const offered = (symbol, owner) => doors.some((door) => door.package === owner && exportedBy.get(door).has(symbol))
  const missing = new Map()
  for (const [door, symbols] of exportedBy) {
    if (isInternal(door.name)) continue
    for (const symbol of symbols) {
      for (const named of mentionedTypes(checker, symbol)) {
        const file = named.declarations[0].getSourceFile().fileName
        const owner = packageOf(file)
        if (offered(named, owner)) continue
        const place = `${named.name} of ${file.slice(root.length)}`
        missing.set(place, `${place}, in ${symbol.name} of ${door.package}${door.name.slice(1)}`)
      }
    }
  }
  return [...missing.values()]
}

function packageOf(file) {
  return /\/packages\/([^/]+)\/dist\//.exec(file)?.[1]
}

/** The interfaces, classes and exported aliases of the packages that the declarations of a symbol name. */
function mentionedTypes(checker, symbol) {
  const found = new Set()
  const visit = (node) => {
    if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)) return
    const at = nameIn(node)
    const named = at && checker.getSymbolAtLocation(at)
    const meant = named && resolve(checker, named)
    if (meant && isType(meant)) found.add(meant)
    ts.forEachChild(node, visit)
  }
  for (const declaration of symbol.declarations ?? []) if (packageOf(declaration.getSourceFile().fileName)) visit(declaration)
  return found
}

function nameIn(node) {
  if (ts.isTypeReferenceNode(node)) return node.typeName
  if (ts.isExpressionWithTypeArguments(node)) return node.expression
  return ts.isImportTypeNode(node) ? node.qualifier : undefined
}

/** An alias that its own module keeps to itself is written out by the compiler wherever it is needed; an interface is not. */
function isType({ flags, declarations }) {
  const [first] = declarations ?? []
  if (first === undefined || first.parent.kind !== ts.SyntaxKind.SourceFile || !packageOf(first.getSourceFile().fileName)) return false
  if (flags & ts.SymbolFlags.TypeAlias) return ts.getModifiers(first)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  return (flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) !== 0
}

import { terms } from '@stickler/core/relevance'
import { distinct, queryWords } from '../../retrieval/query-words.ts'

const mostWords = 40

/** Words that narrow a query without describing its subject. */
const narrowing = new Set(
  (
    'only exactly exact specific specifically particular latest newest current currently version first last best correct right proper simple simply quick quickly new old single certain main ' +
    'nur genau exakt bestimmte aktuelle neueste version erste letzte beste richtig richtige einfach einfache schnell neue alte ' +
    'exactamente exacto especifico ultima ultimo actual version primera mejor correcto simple rapido nuevo'
  ).split(' '),
)

/** Synonyms in documentation; the rest of a group is added to a query that has one of them. */
const groups: readonly (readonly string[])[] = [
  'loop iteration repeat iterate Schleife bucle',
  'function procedure method routine Funktion función',
  'hash digest checksum encode',
  'encrypt encode cipher verschlüsseln cifrar',
  'error exception failure fault Fehler Ausnahme excepción',
  'list array collection items Liste lista',
  'parameter argument input option Parameter parámetro',
  'return result output response Ergebnis Rückgabe resultado',
  'endpoint route url api Endpunkt',
  'request call http fetch Anfrage petición',
  'database sql orm table Datenbank',
  'query search select lookup Abfrage consulta',
  'variable value assign Variable Wert valor',
  'condition if branch compare Bedingung condición',
  'string text characters Zeichenkette cadena',
  'date time timestamp Datum Zeit fecha',
  'install setup set up einrichten instalar',
  'delete remove drop löschen eliminar',
  'create add register define erstellen crear',
  'read get load retrieve lesen leer',
  'write save store put schreiben speichern escribir guardar',
  'start run launch execute starten ausführen iniciar',
  'stop end finish abort beenden terminar',
  'configuration config settings options Einstellungen configuración',
  'key token secret credential Schlüssel clave',
  'limit maximum quota bound Grenze límite',
  'retry repeat attempt again Versuch reintento',
  'stream streaming chunks events Strom',
  'check validate verify test prüfen validar',
  'log trace record protocol Protokoll registro',
  'performance speed latency fast Geschwindigkeit velocidad',
  'cost price money budget Kosten coste',
  'user account login authentication Benutzer usuario',
  'password credential secret Passwort contraseña',
  'file document path folder Datei archivo',
  'random generate arbitrary zufällig aleatorio',
  'async asynchronous concurrent parallel go gather',
  'connect connection connector link Verbindung conexión',
  'documentation guide reference manual Dokumentation',
].map((group) => group.split(' '))

const byTerm: ReadonlyMap<string, readonly string[]> = indexOf(groups)
/** Parts of German compounds that are useful search terms by themselves. */
const heads = distinct(groups.flat().map((word) => word.toLowerCase())).filter((word) => word.length >= 5)
const shortestFirst = 4
const longestEnding = 2

/**
 * A broader wording of a query, without a model: identifiers and compounds are split, narrowing
 * words are removed, synonyms are added. Differs from the query whenever possible.
 */
export function broadened(query: string): string {
  const words = queryWords(query)
  const content = words.filter(({ isContent, plain }) => isContent && !narrowing.has(plain) && !/^v?\d+$/.test(plain))
  const kept = content.length > 0 ? content : words
  const parts = kept.flatMap(({ written }) => partsOf(written))
  const related = distinct(parts).flatMap(relatedTo)
  const all = distinct([...parts, ...related]).slice(0, mostWords)
  const broader = all.join(' ')
  if (broader === '') return query
  return broader.toLowerCase() === query.trim().toLowerCase() ? `${broader} documentation guide` : broader
}

/** The parts of an identifier or a compound, and the whole. */
function partsOf(word: string): readonly string[] {
  const pieces = word.split(/_|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u).filter((piece) => piece.length > 1)
  if (pieces.length > 1) return [...pieces, word]
  const small = word.toLowerCase()
  for (const head of heads) {
    const at = small.indexOf(head, shortestFirst)
    if (at > 0 && small.length - at - head.length <= longestEnding) return [small.slice(0, at), head, word]
  }
  return [word]
}

function relatedTo(word: string): readonly string[] {
  return terms(word).flatMap((term) => byTerm.get(term) ?? [])
}

function indexOf(all: readonly (readonly string[])[]): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, readonly string[]>()
  for (const group of all) for (const term of group.flatMap((word) => terms(word))) index.set(term, [...(index.get(term) ?? []), ...group])
  return index
}

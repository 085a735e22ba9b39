import { terms } from '@stickler/core/internal/relevance'

/** Words that mean the same in nearly any sentence. */
const same: readonly (readonly string[])[] = [
  'delete remove drop löschen eliminar',
  'configuration config settings options Einstellungen configuración',
  'limit maximum max largest quota bound Grenze límite',
  'keep kept store save retain aufbewahren conservar',
  'mask redact hide hidden anonymize maskieren ocultar',
  'forbid forbidden ban block deny disallow prohibit verbieten prohibir',
  'reject refuse withhold ablehnen rechazar',
].map((group) => group.split(' '))

/** Words that documentation uses for the same thing, or for what is near it. */
export const synonyms: readonly (readonly string[])[] = [
  ...same,
  ...[
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
    'create add register define erstellen crear',
    'read get load retrieve lesen leer',
    'write save store put schreiben speichern escribir guardar',
    'start run launch execute starten ausführen iniciar',
    'stop end finish abort beenden terminar',
    'key token secret credential Schlüssel clave',
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
  ].map((group) => group.split(' ')),
]

const bySynonym: ReadonlyMap<string, readonly string[]> = byTermOf(synonyms)
const bySame: ReadonlyMap<string, readonly string[]> = byTermOf(same)

/** The words that stand for one of the terms of a word, itself included; only those that mean the same on request. */
export function synonymsOf(word: string, isStrict = false): readonly string[] {
  return terms(word).flatMap((term) => (isStrict ? bySame : bySynonym).get(term) ?? [])
}

function byTermOf(all: readonly (readonly string[])[]): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, readonly string[]>()
  for (const group of all) for (const term of group.flatMap((word) => terms(word))) index.set(term, [...(index.get(term) ?? []), ...group])
  return index
}

import { terms } from '@stickler/core/relevance'

/** Words that documentation uses for the same thing. */
export const synonyms: readonly (readonly string[])[] = [
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
  'limit maximum max largest quota bound Grenze límite',
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
  'keep kept store save retain aufbewahren conservar',
  'mask redact hide hidden anonymize maskieren ocultar',
  'forbid forbidden ban block deny disallow prohibit verbieten prohibir',
  'reject refuse withhold ablehnen rechazar',
  'documentation guide reference manual Dokumentation',
].map((group) => group.split(' '))

const byTerm: ReadonlyMap<string, readonly string[]> = byTermOf(synonyms)

/** The words that mean the same as one of the terms of a word, itself included. */
export function synonymsOf(word: string): readonly string[] {
  return terms(word).flatMap((term) => byTerm.get(term) ?? [])
}

function byTermOf(all: readonly (readonly string[])[]): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, readonly string[]>()
  for (const group of all) for (const term of group.flatMap((word) => terms(word))) index.set(term, [...(index.get(term) ?? []), ...group])
  return index
}

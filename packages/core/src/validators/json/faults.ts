import type { Locale } from '../../contract/locale.ts'
import type { RefusalReason } from '../../repairs/json/result.ts'

/** What is there, and what to write in its place. */
type Fault = readonly [fact: string, hint: string]

type Faults = Readonly<Record<RefusalReason | typeof followed | typeof outOfRange, Fault>> & Readonly<Record<string, Fault | undefined>>

/** What is wrong with a value that needs no repair itself. */
export const followed = 'something follows the value'

/** What is wrong with a number that is read as infinite. */
export const outOfRange = 'a number out of range'

/** What the text of a value has wrong, by the repair that would correct it, or by why it is not read. */
export const jsonFaults: Readonly<Record<Locale, Faults>> = {
  en: {
    comment: ['a comment', 'Leave out comments'],
    'control-character': ['a line break or another control character in a string', 'Write \\n for a line break in a string'],
    ellipsis: ['an ellipsis', 'Write all items; do not shorten the value'],
    'escaped-quotes': ['backslashes before the quotes around a string', 'Write quotes around strings without backslashes'],
    'extra-comma': ['extra comma', 'Write one comma between two items'],
    'function-call': ['a function call', 'Write the value alone, without a function around it'],
    'inner-quote': ['a double quote inside a string', 'Write a backslash before double quotes inside strings'],
    'literal-case': ['a literal in capitals', 'Write true, false and null in small letters'],
    'missing-closer': ['missing closing bracket', 'Close every bracket'],
    'missing-colon': ['missing colon', 'Write a colon between key and value'],
    'missing-comma': ['missing comma', 'Write a comma between two items'],
    'missing-quote': ['missing double quote', 'Begin and end strings with a double quote'],
    'missing-value': ['missing value', 'Write a value after every colon'],
    'not-a-number': ['a number that JSON does not have', 'Write a finite number, or null'],
    'number-form': [
      'a number in a form that JSON does not have',
      'Write decimal numbers with digits on both sides of the point, without + or leading zeros',
    ],
    'python-literal': ['a literal of Python', 'Write true, false and null'],
    'quote-key': ['a key without double quotes', 'Write keys in double quotes'],
    'quote-text': ['text without double quotes', 'Write strings in double quotes'],
    quotes: ['quotes that are not double quotes', 'Write strings and keys in double quotes'],
    'stray-closer': ['a closing bracket too many', 'Close every bracket once'],
    'stray-escape': ['a backslash that escapes nothing', 'Write two backslashes for one in a string'],
    'string-prefix': ['a letter before a string', 'Write strings without a prefix'],
    'trailing-comma': ['trailing comma', 'Write no comma after the last item'],
    'white-space': ['white space that JSON does not have', 'Use ordinary spaces and line breaks'],
    'wrong-closer': ['a closing bracket of another kind', 'Close [ with ], and { with }'],
    'a NUL character': ['a NUL character', 'Leave out control characters'],
    'a NUL character in a string': ['a NUL character in a string', 'Leave out control characters'],
    'a backslash outside of a string': ['a backslash outside of a string', 'Write backslashes in strings only'],
    'a call with several arguments': ['a call with several arguments', 'Write the value alone, without a function around it'],
    'a closing bracket without an opening one': ['a closing bracket without an opening one', 'Close every bracket once'],
    'a colon in an array': ['a colon in an array', 'Write keys and their values between { and }'],
    'a colon was expected': ['a colon was expected', 'Write a colon between key and value'],
    'a comma or a closing bracket was expected': [
      'a comma or a closing bracket was expected',
      'Write a comma between two items, and close every bracket',
    ],
    'a fence where a value was expected': ['a code fence inside the value', 'Write no code fence inside the value'],
    'a key was expected': ['a key was expected', 'Write keys in double quotes, and numbers without commas'],
    'a number out of range': ['a number that is out of range', 'Write a number below 1.8e308, or a string'],
    'a sign that cannot start a value': [
      'a sign that cannot start a value',
      'Write a string, a number, an object, an array, true, false or null',
    ],
    'a value was expected': ['a value was expected', 'Write a string, a number, an object, an array, true, false or null'],
    'brackets that are nested too deeply': ['brackets that are nested too deeply', 'Nest less deeply'],
    'no JSON value': ['text that is not a JSON value', 'Write strings in double quotes, and nothing but the value'],
    'something follows the value': ['something follows the value', 'End the answer with the value'],
    'the text ends inside a value': ['the text ends inside a value', 'Write the value to its end'],
    'unquoted text that contains a delimiter': ['text without double quotes', 'Write strings in double quotes'],
  },
  de: {
    comment: ['ein Kommentar', 'Lass Kommentare weg'],
    'control-character': [
      'ein Zeilenumbruch oder anderes Steuerzeichen in einer Zeichenkette',
      'Schreibe \\n für einen Zeilenumbruch in einer Zeichenkette',
    ],
    ellipsis: ['eine Auslassung', 'Schreibe alle Einträge; kürze den Wert nicht'],
    'escaped-quotes': [
      'Backslashes vor den Anführungszeichen um eine Zeichenkette',
      'Schreibe Anführungszeichen um Zeichenketten ohne Backslash',
    ],
    'extra-comma': ['ein Komma zu viel', 'Schreibe ein Komma zwischen zwei Einträge'],
    'function-call': ['ein Funktionsaufruf', 'Schreibe nur den Wert, ohne Funktion darum'],
    'inner-quote': ['ein Anführungszeichen in einer Zeichenkette', 'Schreibe einen Backslash vor Anführungszeichen in Zeichenketten'],
    'literal-case': ['ein großgeschriebenes Literal', 'Schreibe true, false und null klein'],
    'missing-closer': ['eine schließende Klammer fehlt', 'Schließe jede Klammer'],
    'missing-colon': ['ein Doppelpunkt fehlt', 'Schreibe einen Doppelpunkt zwischen Schlüssel und Wert'],
    'missing-comma': ['ein Komma fehlt', 'Schreibe ein Komma zwischen zwei Einträge'],
    'missing-quote': ['ein Anführungszeichen fehlt', 'Beginne und beende Zeichenketten mit einem doppelten Anführungszeichen'],
    'missing-value': ['ein Wert fehlt', 'Schreibe einen Wert nach jedem Doppelpunkt'],
    'not-a-number': ['eine Zahl, die es in JSON nicht gibt', 'Schreibe eine endliche Zahl oder null'],
    'number-form': [
      'eine Zahl in einer Form, die es in JSON nicht gibt',
      'Schreibe Dezimalzahlen mit Ziffern vor und nach dem Punkt, ohne + und führende Nullen',
    ],
    'python-literal': ['ein Literal von Python', 'Schreibe true, false und null'],
    'quote-key': ['ein Schlüssel ohne Anführungszeichen', 'Schreibe Schlüssel in doppelten Anführungszeichen'],
    'quote-text': ['Text ohne Anführungszeichen', 'Schreibe Zeichenketten in doppelten Anführungszeichen'],
    quotes: ['andere als doppelte Anführungszeichen', 'Schreibe Zeichenketten und Schlüssel in doppelten Anführungszeichen'],
    'stray-closer': ['eine schließende Klammer zu viel', 'Schließe jede Klammer einmal'],
    'stray-escape': ['ein Backslash, der nichts maskiert', 'Schreibe zwei Backslashes für einen in einer Zeichenkette'],
    'string-prefix': ['ein Buchstabe vor einer Zeichenkette', 'Schreibe Zeichenketten ohne Präfix'],
    'trailing-comma': ['ein Komma nach dem letzten Eintrag', 'Schreibe kein Komma nach dem letzten Eintrag'],
    'white-space': ['Leerraum, den es in JSON nicht gibt', 'Verwende gewöhnliche Leerzeichen und Zeilenumbrüche'],
    'wrong-closer': ['eine schließende Klammer anderer Art', 'Schließe [ mit ] und { mit }'],
    'a NUL character': ['ein NUL-Zeichen', 'Lass Steuerzeichen weg'],
    'a NUL character in a string': ['ein NUL-Zeichen in einer Zeichenkette', 'Lass Steuerzeichen weg'],
    'a backslash outside of a string': ['ein Backslash außerhalb einer Zeichenkette', 'Schreibe Backslashes nur in Zeichenketten'],
    'a call with several arguments': ['ein Aufruf mit mehreren Argumenten', 'Schreibe nur den Wert, ohne Funktion darum'],
    'a closing bracket without an opening one': ['eine schließende Klammer ohne öffnende', 'Schließe jede Klammer einmal'],
    'a colon in an array': ['ein Doppelpunkt in einer Liste', 'Schreibe Schlüssel und ihre Werte zwischen { und }'],
    'a colon was expected': ['ein Doppelpunkt fehlt', 'Schreibe einen Doppelpunkt zwischen Schlüssel und Wert'],
    'a comma or a closing bracket was expected': [
      'ein Komma oder eine schließende Klammer fehlt',
      'Schreibe ein Komma zwischen zwei Einträge, und schließe jede Klammer',
    ],
    'a fence where a value was expected': ['eine Code-Fence im Wert', 'Schreibe keine Code-Fence in den Wert'],
    'a key was expected': ['ein Schlüssel fehlt', 'Schreibe Schlüssel in doppelten Anführungszeichen und Zahlen ohne Kommas'],
    'a number out of range': ['eine Zahl außerhalb des Wertebereichs', 'Schreibe eine Zahl unter 1.8e308 oder eine Zeichenkette'],
    'a sign that cannot start a value': [
      'ein Zeichen, mit dem kein Wert beginnt',
      'Schreibe eine Zeichenkette, eine Zahl, ein Objekt, eine Liste, true, false oder null',
    ],
    'a value was expected': ['ein Wert fehlt', 'Schreibe eine Zeichenkette, eine Zahl, ein Objekt, eine Liste, true, false oder null'],
    'brackets that are nested too deeply': ['zu tief verschachtelte Klammern', 'Verschachtele weniger tief'],
    'no JSON value': ['Text, der kein JSON-Wert ist', 'Schreibe Zeichenketten in doppelten Anführungszeichen, und nichts als den Wert'],
    'something follows the value': ['hinter dem Wert steht noch etwas', 'Beende die Antwort mit dem Wert'],
    'the text ends inside a value': ['der Text endet in einem Wert', 'Schreibe den Wert bis zu seinem Ende'],
    'unquoted text that contains a delimiter': ['Text ohne Anführungszeichen', 'Schreibe Zeichenketten in doppelten Anführungszeichen'],
  },
}

import * as z from 'zod'

/** One mistake for each keyword of JSON Schema, and what is said of it in German. */
export const schemaMistakes: readonly (readonly [schema: Record<string, unknown>, value: unknown, german: string])[] = [
  [{ type: 'object' }, 'bald', 'Schreibe den Wert als Objekt; es ist die Zeichenkette bald.'],
  [{ type: ['integer', 'null'] }, [1, 2], 'Schreibe den Wert als ganze Zahl oder null; es ist eine Liste der Länge 2.'],
  [
    { type: ['string', 'number', 'boolean'] },
    { b: 1 },
    'Schreibe den Wert als Zeichenkette, Zahl oder Wahrheitswert; es ist ein Objekt mit 1 Eigenschaft.',
  ],
  [of({ enum: ['low', 'high'] }), { a: 'ASAP' }, 'Setze a auf low oder high; es ist die Zeichenkette ASAP.'],
  [
    of({ enum: Array.from({ length: 22 }, (_, at) => at) }),
    { a: 99 },
    `Setze a auf ${Array.from({ length: 20 }, (_, at) => at).join(', ')} oder 2 weitere; es ist die Zahl 99.`,
  ],
  [of({ enum: [] }), { a: 1 }, 'Entferne a; dort ist kein Wert erlaubt.'],
  [of({ const: 'v1' }), { a: null }, 'Setze a auf v1; es ist null.'],
  [of({ minimum: 18 }), { a: 3 }, 'Setze a auf mindestens 18; es ist 3.'],
  [of({ maximum: 5 }), { a: 6 }, 'Setze a auf höchstens 5; es ist 6.'],
  [of({ exclusiveMinimum: 2 }), { a: 2 }, 'Setze a auf mehr als 2; es ist 2.'],
  [of({ exclusiveMaximum: 2 }), { a: 2 }, 'Setze a auf weniger als 2; es ist 2.'],
  [of({ multipleOf: 5 }), { a: 7 }, 'Setze a auf ein Vielfaches von 5; es ist 7.'],
  [of({ minLength: 2 }), { a: 'x' }, 'Verlängere a auf mindestens 2 Zeichen; es ist 1.'],
  [of({ maxLength: 2 }), { a: 'xyz' }, 'Kürze a auf höchstens 2 Zeichen; es sind 3.'],
  [of({ minItems: 1 }), { a: [] }, 'Erweitere a auf mindestens 1 Element; es sind 0.'],
  [of({ maxItems: 2 }), { a: [1, 2, 3] }, 'Kürze a auf höchstens 2 Elemente; es sind 3.'],
  [{ minProperties: 2 }, { b: 1 }, 'Erweitere den Wert auf mindestens 2 Eigenschaften; es ist 1.'],
  [{ maxProperties: 1 }, { b: 1, c: 2 }, 'Kürze den Wert auf höchstens 1 Eigenschaft; es sind 2.'],
  [of({ pattern: '^x' }), { a: 'y' }, 'Passe a an das Muster "^x" an; es ist die Zeichenkette y.'],
  [of({ format: 'ipv4' }), { a: 'y' }, 'Setze a auf eine IPv4-Adresse, etwa 192.0.2.1; es ist die Zeichenkette y.'],
  [of({ uniqueItems: true }), { a: [1, 2, 1] }, 'Entferne doppelte Elemente in a; die Elemente 0 und 2 sind gleich.'],
  [{ required: ['c'] }, { b: 1 }, 'Ergänze im Wert die Eigenschaft c; sie fehlt.'],
  [of({ required: ['c'] }), { a: {} }, 'Ergänze in a die Eigenschaft c; sie fehlt.'],
  [{ dependentRequired: { b: ['c'] } }, { b: 1 }, 'Ergänze im Wert die Eigenschaft c; mit b ist sie nötig.'],
  [{ properties: {}, additionalProperties: false }, { b: 1 }, 'Entferne b; die Eigenschaft b ist nicht erlaubt.'],
  [{ unevaluatedProperties: false }, { b: 1 }, 'Entferne b; die Eigenschaft b ist nicht erlaubt.'],
  [{ properties: { a: false } }, { a: 1 }, 'Entferne a; dort ist nichts erlaubt, und es ist die Zahl 1.'],
  [{ propertyNames: { maxLength: 1 } }, { bc: 1 }, 'Benenne bc um; der Schlüssel bc ist nicht erlaubt.'],
  [of({ contains: { type: 'number' } }), { a: ['x'] }, 'Ergänze in a ein Element der verlangten Art; es gibt keines.'],
  [of({ contains: { type: 'number' }, minContains: 2 }), { a: [1] }, 'Nenne in a mindestens 2 Elemente der verlangten Art; es ist 1.'],
  [
    of({ contains: { type: 'number' }, maxContains: 1 }),
    { a: [1, 2] },
    'Lass in a höchstens 1 Element der gezählten Art stehen; es sind 2.',
  ],
  [of({ not: { const: 1 } }), { a: 1 }, 'Ändere a; diese Form ist nicht erlaubt: die Zahl 1.'],
  [of({ anyOf: [{ type: 'string' }, { type: 'null' }] }), { a: 1 }, 'Schreibe a als Zeichenkette oder null; es ist die Zahl 1.'],
  [of({ oneOf: [{ minimum: 1 }, { maximum: 9 }] }), { a: 5 }, 'Passe a an genau eine der erlaubten Formen an; erfüllt sind 2.'],
  [of({ oneOf: [{ const: 1 }, { const: 2 }] }), { a: 5 }, 'Setze a auf 1 oder 2; es ist die Zahl 5.'],
  [{ if: { required: ['d'] }, else: { required: ['c'] } }, { b: 1 }, 'Ergänze im Wert die Eigenschaft c; sie fehlt.'],
]

function of(schema: object): Record<string, unknown> {
  return { type: 'object', properties: { a: schema } }
}

/** A rule of its own, which JSON Schema cannot say, beside others. */
export const accounts = z.object({
  age: z.int().min(18),
  mail: z.email(),
  code: z.string().refine((code) => code !== 'x', 'This code is taken'),
})

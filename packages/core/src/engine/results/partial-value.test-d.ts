import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { contract } from '../../catalogue.ts'
import { scripted } from '../../runners/scripted.ts'
import { json } from '../../validators/json/index.ts'
import { enforceStream } from '../enforce.ts'

test('partial values have the type of the schema, with parts missing until the last one', async () => {
  const Trip = z.object({ city: z.string(), stops: z.array(z.object({ name: z.string(), hours: z.number().nullable() })) })
  const stream = enforceStream({ contract: contract({ checks: [json({ schema: Trip })] }), runner: scripted([]), prompt: '' })
  for await (const partial of stream.partials) {
    if (partial.final) expectTypeOf(partial.value).toEqualTypeOf<z.infer<typeof Trip>>()
    else {
      expectTypeOf(partial.value.city).toEqualTypeOf<string | undefined>()
      expectTypeOf(partial.value.stops?.[0]?.hours).toEqualTypeOf<number | null | undefined>()
    }
  }
})

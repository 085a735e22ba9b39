import { type Catalogue, catalogue as generic } from '@stickler/core'
import { avap } from './avap/preset.ts'
import { helix } from './helix/preset.ts'
import { reddb } from './reddb/preset.ts'
import { techtime } from './techtime/preset.ts'

/** The presets by their names in configuration files. */
export const presets = { avap, helix, reddb, techtime } satisfies Catalogue['presets']

const own = Object.values(presets).flatMap((preset: Catalogue['presets'][string]) => preset.validators ?? [])
const ofName = (list: Catalogue['validators'], name: string) => list.find(({ definition }) => definition.name === name)

/** Everything that a configuration file may name: the validators of the library, those of the presets, and the presets. */
export const catalogue: Catalogue = {
  validators: [
    ...generic.validators.map((one) => ofName(own, one.definition.name) ?? one),
    ...own.filter(({ definition }) => ofName(generic.validators, definition.name) === undefined),
  ],
  presets,
}

import { type Catalogue, catalogue as generic } from '@stickler/core'
import { avap } from './avap/preset.ts'
import { helix } from './helix/preset.ts'
import { reddb } from './reddb/preset.ts'
import { techtime } from './techtime/preset.ts'

/** The presets by their names in configuration files. */
export const presets = { avap, helix, reddb, techtime } satisfies Catalogue['presets']

const own = Object.values(presets).flatMap((preset: Catalogue['presets'][string]) => preset.validators ?? [])
const isOwn = (name: string): boolean => own.some(({ definition }) => definition.name === name)

/** Everything that a configuration file may name: the validators of the library, those of the presets, and the presets. */
export const catalogue: Catalogue = {
  validators: [...generic.validators.filter(({ definition }) => !isOwn(definition.name)), ...own],
  presets,
}

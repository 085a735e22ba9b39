import type { Attack } from './attack.ts'
import { argumentsAttack } from './parts/arguments.ts'
import { citationsAttack } from './parts/citations.ts'
import { fairnessAttack } from './parts/fairness.ts'
import { gatewayAttack } from './parts/gateway.ts'
import { keysAttack } from './parts/keys.ts'
import { relayAttack } from './parts/relay.ts'
import { repairAttack } from './parts/repair.ts'
import { streamAttack } from './parts/stream.ts'
import { typesAttack } from './parts/types.ts'

/** All attacks, in the order in which they are run. */
export const attacks: readonly Attack[] = [
  gatewayAttack(),
  relayAttack(),
  typesAttack(),
  streamAttack(),
  repairAttack(),
  argumentsAttack(),
  citationsAttack(),
  keysAttack(),
  fairnessAttack(),
]

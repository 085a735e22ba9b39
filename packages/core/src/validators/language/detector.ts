import { detectorCodes } from './languages.ts'

/** Scores the languages of the script that a text is written in, best first, from 1 down; empty when undecided. */
export type Detector = (text: string) => readonly (readonly [name: string, score: number])[]

/** Loads the detector: only contracts that check the language pay for it. */
export async function loadDetector(): Promise<Detector> {
  const { francAll } = await import('franc')
  const only = [...detectorCodes]
  return (text) => francAll(text, { only }).filter(([name]) => name !== 'und')
}

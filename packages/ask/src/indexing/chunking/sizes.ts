/**
 * Lengths of passages, in UTF-16 units: split at about `target`, up to `most` to keep things
 * together, and not below `least` without need.
 */
export const sizes = { least: 200, target: 1000, most: 2000 } as const

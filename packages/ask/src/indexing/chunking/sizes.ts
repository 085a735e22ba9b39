/** How long passages are, in UTF-16 units: cut at about `target`, up to `most` where something would be torn apart otherwise, and not below `least` without need. */
export const sizes = { least: 200, target: 1000, most: 2000 } as const

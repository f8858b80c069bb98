/** Why one of many was left as it is, in words: it is to be looked at by itself. */
export class LeftOut extends Error {}

/**
 * Shapes of characters, drawn by us: the way of a pen in SVG's M, L and C commands, on a square whose base line is y = 100
 * and whose capitals begin at y = 0. Characters that another one looks like when it is bent are not there, in either case:
 * 0 D O Q, 1 I J, B (8), C G (6), E and F with a line below or above are one (F), S (5), U V, Z (2).
 */
export const glyphs: Readonly<Record<string, readonly string[]>> = {
  '2': ['M6 26 C8 -8 62 -8 62 26 C62 52 30 68 5 100 L65 100'],
  '3': ['M7 12 C26 -8 60 -2 58 24 C57 42 42 47 26 48 C46 48 63 56 62 74 C61 106 20 108 4 86'],
  '4': ['M50 100 L50 0 L2 68 L68 68'],
  '5': ['M58 0 L16 0 L11 45 C30 30 64 38 62 70 C60 106 20 106 3 87'],
  '6': ['M54 2 C20 12 6 44 6 70 C6 110 62 110 62 70 C62 36 14 36 7 72'],
  '7': ['M4 0 L62 0 L24 100'],
  '8': ['M33 46 C0 40 2 0 33 0 C64 0 66 40 33 46 C-6 54 -4 100 33 100 C70 100 72 54 33 46'],
  '9': ['M60 30 C58 66 5 64 5 29 C5 -9 60 -10 60 30 C60 60 50 86 20 98'],
  A: [
    'M2 100 L34 0 L66 100 M14 66 L54 66',
    'M10 48 C26 30 54 34 54 58 L54 100 M54 66 C22 60 4 70 6 84 C8 104 44 104 54 82',
  ],
  E: ['M60 0 L8 0 L8 100 L60 100 M8 48 L50 48', 'M6 68 L56 68 C58 26 6 24 6 68 C6 108 44 106 54 88'],
  H: ['M6 0 L6 100 M62 0 L62 100 M6 50 L62 50'],
  K: ['M8 0 L8 100 M60 0 L8 58 M26 40 L62 100', 'M8 0 L8 100 M48 40 L8 74 M22 62 L50 100'],
  L: ['M8 0 L8 100 L58 100'],
  M: [
    'M4 100 L10 0 L40 62 L70 0 L76 100',
    'M6 36 L6 100 M6 58 C14 30 40 30 40 58 L40 100 M40 58 C46 30 74 30 74 58 L74 100',
  ],
  N: ['M6 100 L6 0 L60 100 L60 0', 'M6 36 L6 100 M6 60 C16 28 54 28 54 60 L54 100'],
  P: ['M8 100 L8 0 C76 -8 78 62 8 54', 'M8 38 L8 134 M8 58 C20 26 62 34 60 70 C58 106 18 106 8 82'],
  R: ['M8 100 L8 0 C74 -8 76 58 8 50 M32 51 L62 100', 'M8 36 L8 100 M8 62 C12 40 28 32 48 42'],
  T: ['M2 0 L64 0 M33 0 L33 100', 'M24 8 L24 84 C24 104 42 102 52 94 M4 38 L48 38'],
  W: ['M0 0 L18 100 L40 26 L62 100 L80 0', 'M2 38 L18 100 L36 52 L54 100 L70 38'],
  X: ['M4 0 L62 100 M62 0 L4 100', 'M6 38 L54 100 M54 38 L6 100'],
  Y: ['M2 0 L32 50 L62 0 M32 50 L32 100', 'M4 38 L30 94 M58 38 L26 112 C22 128 12 132 2 128'],
}

/** The characters of answers, upper case. */
export const alphabet: readonly string[] = Object.keys(glyphs)

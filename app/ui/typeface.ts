import localFont from 'next/font/local'
import { classes } from './classes'

// The files are those of the package; their ranges are in its unicode.json. Next reads these calls when it builds, so all of it is literal.

/** Letters of Western Europe, which every page loads first. A page that has them late keeps its first letters, so that nothing moves. */
const latin = localFont({
  src: '../../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  variable: '--font-geist',
  weight: '100 900',
  display: 'optional',
  adjustFontFallback: 'Arial',
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
    },
  ],
})

/** The other letters of the Latin script, which a page loads when it has one of them. */
const latinExt = localFont({
  src: '../../node_modules/@fontsource-variable/geist/files/geist-latin-ext-wght-normal.woff2',
  variable: '--font-geist-ext',
  weight: '100 900',
  display: 'optional',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
    },
  ],
})

/** The classes of the document that give `--font-sans` its typeface, Geist. */
export const TYPEFACE = classes(latin.variable, latinExt.variable)

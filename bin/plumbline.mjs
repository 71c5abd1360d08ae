#!/usr/bin/env node
// The command line as `npm run build` made it. Paths that a command is given are meant from where it was typed.
import { root, runBuilt } from './built.mjs'

process.env.PLUMBLINE_CWD = process.cwd()
process.chdir(root)
await runBuilt('cli')

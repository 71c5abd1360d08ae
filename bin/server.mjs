#!/usr/bin/env node
// The server as `npm run build` made it; `--demo` serves the demonstration.
import { root, runBuilt } from './built.mjs'

process.chdir(root)
await runBuilt('server')

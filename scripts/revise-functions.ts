// Counts the revision of db/functions up where a function has changed, so that every database replaces its functions once.
import { writeFileSync } from 'node:fs'
import { hashFunctions, readFunctions, readRevision, revisionFile } from '../db/drivers/functions'

const files = await readFunctions('db')
const hash = hashFunctions(files)
const { revision, hash: before } = await readRevision('db')
if (hash !== before) {
  writeFileSync(revisionFile('db'), `${JSON.stringify({ revision: revision + 1, hash }, undefined, 2)}\n`)
  console.log(`The functions are at revision ${revision + 1}.`)
}

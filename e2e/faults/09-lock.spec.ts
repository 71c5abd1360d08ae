import { test } from '@playwright/test'
import { Race } from '../../lib/testing/lock-race'
import { report } from './own-postgres'

const STARTS = 1_000
const KILLS = 50

test('of processes that start at once on a data directory after a crash, one holds it', async () => {
  test.setTimeout(900_000)
  const race = await Race.of(6)
  try {
    const counted = { several: 0, none: 0 }
    const count = (holders: number) => {
      if (holders > 1) counted.several++
      if (holders === 0) counted.none++
    }
    for (let round = 0; round < STARTS - KILLS; round++) count(await race.afterCrash())
    for (let round = 0; round < KILLS; round++) count(await race.afterKill())
    report(9, `${STARTS} starts of six processes at once, ${KILLS} of them as the holder was killed`, [
      { what: 'with two holders', value: counted.several, exactly: 0 },
      { what: 'with none', value: counted.none, exactly: 0 },
    ])
  } finally {
    race.end()
  }
})

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GroupCommit, type Done } from './group-commit.ts';

/** A disk whose commits end when the test says so. */
function slowDisk() {
  const open: Done[] = [];
  const failures: Error[] = [];
  const told: string[] = [];
  const commit = new GroupCommit(
    (settled) => open.push(settled),
    (error) => failures.push(error),
  );
  const waiting = (name: string): Done => {
    return (error) => told.push(error === null ? name : `${name}: ${error.message}`);
  };
  return {
    commit,
    failures,
    told,
    waiting,
    open,
    end: (error: Error | null) => open.shift()?.(error),
  };
}

test('all who come while a commit is under way share the next one', () => {
  const { commit, told, waiting, open, end } = slowDisk();
  commit.add([waiting('a')]);
  commit.add([waiting('b'), waiting('c')]);
  commit.add([waiting('d')]);
  assert.equal(open.length, 1);
  assert.deepEqual(told, []);
  end(null);
  assert.deepEqual(told, ['a']);
  assert.equal(open.length, 1);
  end(null);
  assert.deepEqual(told, ['a', 'b', 'c', 'd']);
  assert.equal(open.length, 0);
});

test('one who comes from within being told waits for a commit of its own', () => {
  const { commit, told, waiting, open, end } = slowDisk();
  commit.add([() => commit.add([waiting('b')]), waiting('a')]);
  end(null);
  assert.deepEqual(told, ['a']);
  assert.equal(open.length, 1);
  end(null);
  assert.deepEqual(told, ['a', 'b']);
});

test('after a failure nobody is told of a success, and no commit is tried', () => {
  const { commit, told, failures, waiting, open, end } = slowDisk();
  const error = new Error('EIO');
  commit.add([waiting('a')]);
  commit.add([waiting('b')]);
  end(error);
  commit.add([waiting('c')]);
  assert.deepEqual(told, ['a: EIO', 'b: EIO', 'c: EIO']);
  assert.deepEqual(failures, [error]);
  assert.equal(open.length, 0);
});

test('the end is told after the last commit, at once when there is none', () => {
  const { commit, told, waiting, end } = slowDisk();
  commit.add([waiting('a')]);
  commit.add([waiting('b')]);
  commit.finish((error) => told.push(`end ${error}`));
  end(null);
  end(null);
  assert.deepEqual(told, ['a', 'b', 'end null']);
  const idle = slowDisk();
  idle.commit.finish(() => idle.told.push('end'));
  assert.deepEqual(idle.told, ['end']);
});

test('the end is told after a failure as well, and what it was', () => {
  const { commit, told, waiting, end } = slowDisk();
  commit.add([waiting('a')]);
  commit.add([waiting('b')]);
  commit.finish((error) => told.push(`end ${error?.message}`));
  end(new Error('EIO'));
  commit.finish((error) => told.push(`late ${error?.message}`));
  assert.deepEqual(told, ['a: EIO', 'b: EIO', 'end EIO', 'late EIO']);
});

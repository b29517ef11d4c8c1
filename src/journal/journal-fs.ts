/**
 * What the journal needs of a file system: the part of `node:fs` of the same names, so that tests
 * can hand in a disk that is full, slow to take all bytes, or broken.
 */
export interface JournalFs {
  mkdirSync(path: string, options: { recursive: true; mode: number }): unknown;
  openSync(path: string, flags: string, mode?: number): number;
  readFileSync(path: string, encoding: 'utf8'): string;
  readdirSync(path: string): string[];
  statSync(path: string): { readonly size: number };
  /** Of the disk that the path lies on, in blocks of `bsize` bytes. */
  statfsSync(path: string): {
    readonly bsize: number;
    readonly blocks: number;
    readonly bavail: number;
  };
  /** May write less than asked for; returns how many bytes it wrote. */
  writeSync(fd: number, buffer: Uint8Array, offset: number, length: number): number;
  ftruncateSync(fd: number, length: number): void;
  fchmodSync(fd: number, mode: number): void;
  fsyncSync(fd: number): void;
  /** On the thread pool, unlike the others. */
  fdatasync(fd: number, done: (error: Error | null) => void): void;
  fsync(fd: number, done: (error: Error | null) => void): void;
  closeSync(fd: number): void;
  linkSync(existing: string, path: string): void;
  unlinkSync(path: string): void;
}

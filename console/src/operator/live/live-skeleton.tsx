import { SimpleGrid, Skeleton } from '@mantine/core';
import { Figures } from '../../parts/figure.tsx';

/** The shape of figures and charts while they are on their way. */
export function LiveSkeleton() {
  return (
    <>
      <Figures>
        {Array.from({ length: 12 }, (_, index) => (
          <Skeleton key={index} height={110} />
        ))}
      </Figures>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {Array.from({ length: 4 }, (_, index) => (
          <Skeleton key={index} height={274} />
        ))}
      </SimpleGrid>
    </>
  );
}

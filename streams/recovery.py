"""Recovery: a worker's state is rebuilt from the contexts topic, the same records that everyone else reads.

Faust's table recovery is not used: it logs what goes wrong and carries on, applies records of a partition that is not
its own to whatever table came last, and takes the last record of a key for true even when a worker wrote it that had
already lost the partition. Here an error ends the process, and the term decides.
"""

from collections.abc import Collection

from aiokafka import AIOKafkaConsumer, TopicPartition

from tailrace.agents.partition import PartitionView
from tailrace.streams.commit import OwnedPartition
from tailrace.streams.reading import read_to_end


async def recover(consumer: AIOKafkaConsumer, topic: str, partitions: Collection[int]) -> dict[int, OwnedPartition]:
    """State of the given partitions as of now, each with a term above all that was written to it before."""
    views = {partition: PartitionView() for partition in partitions}
    wanted = [TopicPartition(topic, partition) for partition in sorted(partitions)]
    if wanted:
        async for partition, records in read_to_end(consumer, wanted):
            view = views[partition.partition]
            for record in records:
                view.apply_record(record.key, record.value, record.headers)
    return {partition: OwnedPartition(view=view, term=view.term + 1) for partition, view in views.items()}

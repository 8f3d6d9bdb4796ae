"""A one-node Apache Kafka on this machine: jars, Java, process, files."""
